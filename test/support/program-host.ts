import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Ended, environmentOf, ROOT, type RunProgram } from "./program.js";

const MAIN = join(ROOT, "cli/dist/main.js");

/** A process that runs the program many times without starting a process for each. */
export interface ProgramHost extends AsyncDisposable {
  readonly run: RunProgram;
}

/** Starts the process; the program is loaded once, by Node itself and not by vitest. */
export function openProgramHost(): ProgramHost {
  const child = fork(join(ROOT, "test/support/host-process.mjs"), [MAIN], {
    stdio: "inherit",
    execArgv: [],
    env: environmentOf(ROOT),
  });
  const closed = once(child, "exit");
  return {
    run: (words, settings) => exchange(child, closed, { words, ...settings }),
    async [Symbol.asyncDispose]() {
      child.kill();
      await closed;
    },
  };
}

async function exchange(
  child: ChildProcess,
  closed: Promise<unknown>,
  { words, folder, environment }: { words: readonly string[] } & Parameters<RunProgram>[1],
): Promise<Ended> {
  const answered = once(child, "message");
  child.send({ words, folder, environment: environmentOf(folder, environment) });
  const ended = closed.then(() => {
    throw new Error(`the process ended during: plinth ${words.join(" ")}`);
  });
  const [answer] = await Promise.race([answered, ended]);
  return answer;
}
