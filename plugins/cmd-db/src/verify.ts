import { setImmediate } from "node:timers/promises";
import { type Blockchain, type CommandIo, command, PlinthError } from "@plinth/core";

/** Work between two looks at the clock and the operator. */
const STEPS_AT_ONCE = 200;
/** Enough to see what kind of damage it is. */
const MAX_SHOWN = 20;

/** `db verify`: looks at every block, receipt and index, and at the state of the head. */
export const verify = command({
  id: "db verify",
  summary: "Looks whether everything in the database is there and right.",
  flags: {},
  async run({ io, openChain, signal }) {
    await using chain = await openChain();
    const { blocks } = chain;
    const head = blocks.head();
    const problems = new Problems(io);
    await walk(blocks.verifyBlocks(), { io, signal, problems, show: showBlock(blocks) });
    await walk(blocks.verifyState(), {
      io,
      signal,
      problems,
      show: (done) => `state, node ${done}`,
    });
    io.status?.clear();
    if (signal.aborted)
      throw new PlinthError("DATABASE_UNVERIFIED", { message: "Stopped before the end." });
    problems.throwIfAny();
    await io.write(
      `Whole: blocks 0 to ${head.number}, and the state of block ${head.number} (${head.hash}).`,
    );
  },
});

const showBlock = (blocks: Blockchain) => {
  const last = blocks.head().number;
  return (done: number) => `block ${done} of ${last}`;
};

/** What is wrong, told as it is found. */
class Problems {
  readonly #io: CommandIo;
  #count = 0;

  constructor(io: CommandIo) {
    this.#io = io;
  }

  async add({
    where,
    problem,
  }: {
    readonly where: string;
    readonly problem: string;
  }): Promise<void> {
    this.#count += 1;
    if (this.#count > MAX_SHOWN) return;
    this.#io.status?.clear();
    await this.#io.write(`${where}: ${problem}`);
  }

  throwIfAny(): void {
    if (this.#count === 0) return;
    const rest = this.#count > MAX_SHOWN ? `, the first ${MAX_SHOWN} of them above` : "";
    const found = this.#count === 1 ? "1 problem was" : `${this.#count} problems were`;
    throw new PlinthError("DATABASE_DAMAGED", {
      message: `${found} found${rest}. Restore the data from a copy, or remove it and synchronise again.`,
    });
  }
}

async function walk(
  steps: Iterable<{
    readonly problems: readonly { readonly where: string; readonly problem: string }[];
  }>,
  on: {
    readonly io: CommandIo;
    readonly signal: AbortSignal;
    readonly problems: Problems;
    show(done: number): string;
  },
): Promise<void> {
  let done = 0;
  for (const step of steps) {
    for (const problem of step.problems) await on.problems.add(problem);
    if (++done % STEPS_AT_ONCE !== 0) continue;
    on.io.status?.show(on.show(done));
    // Signals of the operator come in between.
    await setImmediate();
    if (on.signal.aborted) return;
  }
}
