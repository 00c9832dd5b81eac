import { existsSync } from "node:fs";
import {
  type CommandIo,
  command,
  type KeyValueStore,
  messageOf,
  option,
  PlinthError,
  yieldToLoop,
} from "@plinth/core";
import type { StoredChain } from "@plinth/core/chain";
import { noDatabase } from "./folders.js";
import { type Problem, Problems } from "./problems.js";
import { verifyEntries } from "./repair/verify-entry.js";

/** Number of steps between two checks of the clock and of the abort signal. */
const STEPS_AT_ONCE = 200;
/** Enough to recognize the kind of damage. */
const MAX_SHOWN = 20;

interface Verification {
  readonly io: CommandIo;
  readonly signal: AbortSignal;
  readonly problems: Problems;
}

/**
 * `db verify`: checks the canonical chain and the state of its head; with `--full` also every entry
 * of every file.
 */
export const verify = command({
  id: "db verify",
  summary:
    "Checks the database without changing it; takes about a second per few thousand blocks, and with --full as long as reading all files.",
  examples: ["plinth --genesis-file=genesis.json --data-path=data db verify --full"],
  flags: {
    full: option.flag({ summary: "Reads every entry of every table and checks it." }),
  },
  uses: { chain: true },
  async run({ flags: { full = false }, io, storedChain, signal }) {
    const stored = await storedChain();
    if (!existsSync(stored.folder)) throw noDatabase(stored.folder);
    const problems = new Problems(io, full ? Number.POSITIVE_INFINITY : MAX_SHOWN);
    const on = { io, signal, problems };
    await using _lock = await stored.files.lock({ folder: stored.folder });
    const entries = full ? await walk(verifyEntries(stored), { ...on, show: showEntry }) : 0;
    const isReadable = problems.count === 0;
    const verified = isReadable ? await verifyChain(stored, { ...on, full }) : undefined;
    io.status?.clear();
    if (signal.aborted) {
      throw new PlinthError("DATABASE_UNVERIFIED", { message: "Stopped before the end." });
    }
    if (!isReadable) await io.write("Not checked: blocks and state, because files are damaged.");
    problems.throwIfAny();
    if (verified !== undefined) await io.write(verified);
    await io.write(
      full
        ? `Read: all ${entries} entries. Not checked: whether states of earlier blocks are complete.`
        : "Not read: states of earlier blocks, blocks off the canonical chain, the pool, and tables of plugins. db verify --full reads them.",
    );
  },
});

const showEntry = (done: number) => `entry ${done}`;

/** Returns what was found to be intact; `undefined` if the database cannot be opened. */
async function verifyChain(
  stored: StoredChain,
  on: Verification & { readonly full: boolean },
): Promise<string | undefined> {
  const store = await openReadOnly(stored, on.problems);
  if (store === undefined) return undefined;
  try {
    const head = stored.findHead(store);
    const show = (done: number) => `block ${done} of ${head?.number ?? "?"}`;
    await walk(stored.verifyBlocks(store), { ...on, show });
    const isMarked = await verifyPlace(stored, store, on.problems);
    if (head === undefined) return "Empty: there is no block yet.";
    const showNode = (done: number) => `state, node ${done}`;
    await walk(stored.verifyState(store, head), { ...on, show: showNode });
    if (on.full) {
      const showValue = (done: number) => `earlier states, entry ${done}`;
      await walk(stored.verifyHistory(store, head), { ...on, show: showValue });
    }
    const first = stored.firstRetained(store);
    const pruned =
      first > 1n
        ? ` Of blocks 1 to ${first - 1n} only the headers are kept: --blocks-retained has removed the rest, or the node joined the chain later.`
        : "";
    const unmarked = ` Not checked: whether there were later blocks, because ${stored.marker.path} is missing.`;
    return `Intact: blocks 0 to ${head.number}, and the state of block ${head.number} (${head.hash}).${pruned}${isMarked ? "" : unmarked}`;
  } finally {
    await store.close();
  }
}

/**
 * Checks that this is the chain of the genesis file, up to the block of the head marker; returns
 * whether there is one.
 */
async function verifyPlace(
  stored: StoredChain,
  store: KeyValueStore,
  problems: Problems,
): Promise<boolean> {
  const { folder, marker } = stored;
  const marked = await marker.read();
  try {
    await stored.verifyGenesis(store, folder);
    if (typeof marked === "object") stored.verifyMarkedHead(store, marked, folder);
  } catch (error) {
    await problems.add({ where: folder, problem: messageOf(error) });
  }
  if (marked === "damaged") {
    await problems.add({
      where: marker.path,
      problem: "it is damaged, so lost blocks go undetected; the next start writes it again",
    });
  }
  return marked !== "missing";
}

async function openReadOnly(
  stored: StoredChain,
  problems: Problems,
): Promise<KeyValueStore | undefined> {
  try {
    return await stored.openReadOnly();
  } catch (error) {
    if (!(error instanceof PlinthError) || error.code !== "STORAGE_DAMAGED") throw error;
    await problems.add({ where: stored.folder, problem: messageOf(error) });
    return undefined;
  }
}

/** Returns the number of steps. */
async function walk(
  steps:
    | Iterable<{ readonly problems: readonly Problem[] }>
    | AsyncIterable<{ readonly problems: readonly Problem[] }>,
  on: Verification & { show(done: number): string },
): Promise<number> {
  let done = 0;
  for await (const step of steps) {
    for (const problem of step.problems) await on.problems.add(problem);
    if (++done % STEPS_AT_ONCE !== 0) continue;
    on.io.status?.show(on.show(done));
    // Lets signals of the operator through.
    await yieldToLoop();
    if (on.signal.aborted) break;
  }
  return done;
}
