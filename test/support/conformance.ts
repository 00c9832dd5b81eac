import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { ROOT } from "./program.js";

const NAMED = process.env.PLINTH_CONFORMANCE;

/** The folder of suites that other projects wrote: `PLINTH_CONFORMANCE`, or beside the repository. */
export const CONFORMANCE = resolve(ROOT, NAMED ?? "../shared/conformance");

/** Absent at the usual place it is passed over; absent where the variable names it, tests fail. */
export const isConformanceMissing = NAMED === undefined && !existsSync(CONFORMANCE);

/** `npm run test:conformance` runs all that is there, `npm test` a part of what takes long. */
export const isEveryTestWanted = process.env.PLINTH_EVERY_TEST !== undefined;

/** What a runner counted. */
export interface Counted {
  readonly passed: number;
  readonly failed: number;
  /** Everything it printed, for the message of a failing test. */
  readonly output: string;
}

/** Runs one of the runners to its end. */
export function runSuite(runner: string, words: readonly string[]): Promise<Counted> {
  const command = [join(CONFORMANCE, runner), ...words];
  return new Promise((done, fail) => {
    execFile(process.execPath, command, { cwd: CONFORMANCE }, (_error, stdout, stderr) => {
      const output = stdout + stderr;
      const count = /(\d+) passed, (\d+) failed\s*$/.exec(stdout);
      if (count === null) fail(new Error(`${runner} counted nothing:\n${output}`));
      else done({ passed: Number(count[1]), failed: Number(count[2]), output });
    });
  });
}
