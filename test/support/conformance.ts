import { execFile } from "node:child_process";
import { join } from "node:path";
import { CONFORMANCE, VECTORS } from "@plinth/testing";

export { CONFORMANCE, isConformanceMissing, VECTORS } from "@plinth/testing";

/** `npm run long -- conformance` runs everything, `npm test` a part of the slow suites. */
export const isEveryTestWanted = process.env.PLINTH_EVERY_TEST !== undefined;

/** The counts of a runner. */
export interface Counted {
  readonly passed: number;
  readonly failed: number;
  /** Its output, for the message of a failing test. */
  readonly output: string;
}

/** Runs one of the runners of other projects' suites to its end. */
export function runSuite(runner: string, args: readonly string[]): Promise<Counted> {
  return run(CONFORMANCE, runner, args);
}

/** Repeats the requests recorded from a running Besu, and compares the responses. */
export function replayBesuLive(args: readonly string[]): Promise<Counted> {
  return run(VECTORS, "run-besu-live.mjs", args);
}

function run(folder: string, runner: string, args: readonly string[]): Promise<Counted> {
  const command = [join(folder, runner), ...args];
  return new Promise((done, fail) => {
    execFile(process.execPath, command, { cwd: folder }, (_error, stdout, stderr) => {
      const output = stdout + stderr;
      const count = /(\d+) passed, (\d+) failed\s*$/.exec(stdout);
      if (count === null) fail(new Error(`${runner} counted nothing:\n${output}`));
      else done({ passed: Number(count[1]), failed: Number(count[2]), output });
    });
  });
}
