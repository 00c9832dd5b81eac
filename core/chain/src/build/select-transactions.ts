import type { Clock, Header, StateReader, Transaction } from "@plinth/core";
import { InvalidBlock, Yielder } from "@plinth/core";
import { ExecutionFault } from "@plinth/core/blocks";
import { type BuildHooks, StateUnavailable } from "@plinth/core/chain";
import { RunTooLong } from "@plinth/core/evm";
import { upfrontCost } from "@plinth/core/rules";
import type { BlockExecution } from "../import/execute-block.js";
import { MalformedDeposit } from "../import/requests.js";
import type { BlockSpace } from "./block-space.js";
import { CpuTime } from "./cpu-time.js";

/**
 * What happens to a candidate that is not in the block.
 *
 * - `retry`: it is tried in the next block.
 * - `behind`: it is tried in the next block, after those of other senders.
 * - `drop`: it can never run, or a plugin rejects it.
 * - `set-aside`: the node failed to run it, and does not try it again by itself.
 */
export type Fate = "retry" | "behind" | "drop" | "set-aside";

/** A candidate that is not in the block. */
export interface LeftOut {
  readonly transaction: Transaction;
  readonly fate: Fate;
  readonly message: string;
}

/** In the order to try them; `next(false)` skips the rest of a sender. */
export type Candidates = Iterable<Transaction, unknown, boolean | undefined>;

/** The limits of the selection; none by default. */
export interface SelectionLimits {
  /** How long transactions are tried; each gets a share of it, and the rest at the end. */
  readonly time?: { readonly clock: Pick<Clock, "now">; readonly budgetMs: number };
  /**
   * Once this share of the gas is used, the first transaction that does not fit completes the
   * block.
   */
  readonly minOccupancy?: number;
  readonly hooks?: Pick<BuildHooks, "transaction">;
}

/** The source and the target of the selection. */
export interface Selection extends SelectionLimits {
  readonly candidates: Candidates;
  readonly execution: BlockExecution;
  readonly space: BlockSpace;
  readonly state: StateReader;
  readonly draft: Header;
}

type Verdict =
  | { readonly kind: "taken" | "passed" | "stop" }
  | { readonly kind: "too-long"; readonly maxMs: number; readonly cpuMs: number }
  | { readonly kind: "left-out"; readonly fate: Fate; readonly message: string };

/** Below this no transaction fits. */
const SMALLEST_GAS = 21_000n;
/** The share of the time for a candidate before the others have had theirs. */
const SHARE = 1 / 8;
/**
 * Once this share was lost to candidates that timed out, those with a high gas limit wait for
 * another block.
 */
const LOST_SHARE = 1 / 4;
/** Code with this much gas finishes quickly. */
const LIGHT_GAS = 1_000_000n;
const TAKEN = { kind: "taken" } as const;
const PASSED = { kind: "passed" } as const;
const STOP = { kind: "stop" } as const;
const cpuTime = new CpuTime();

/**
 * Runs the candidates that fit, in order, until the block is full or the time is up.
 *
 * A candidate that exceeds its share is tried once more at the end, with all the remaining time.
 */
export async function selectTransactions(selection: Selection): Promise<{
  readonly transactions: readonly Transaction[];
  readonly leftOut: readonly LeftOut[];
}> {
  const { candidates, execution, time } = selection;
  const budgetMs = time?.budgetMs ?? Number.POSITIVE_INFINITY;
  const transactions: Transaction[] = [];
  const leftOut: LeftOut[] = [];
  const long: Transaction[] = [];
  const heavy: Transaction[] = [];
  const turns = new Yielder("chain");
  const remainingMs = startBudget(time);
  let lostMs = 0;
  let isOver = false;
  const take = (transaction: Transaction, verdict: Verdict) => {
    if (verdict.kind === "stop") isOver = true;
    if (verdict.kind === "taken") transactions.push(transaction);
    if (verdict.kind === "left-out") {
      leftOut.push({ transaction, fate: verdict.fate, message: verdict.message });
    }
    if (verdict.kind !== "too-long") return;
    long.push(transaction);
    lostMs += verdict.maxMs;
  };
  const iterator = candidates[Symbol.iterator]();
  for (let next = iterator.next(); next.done !== true; ) {
    const leftMs = remainingMs();
    if (execution.gasLeft < SMALLEST_GAS || leftMs <= 0) break;
    const transaction = next.value;
    const isLight = transaction.gasLimit <= LIGHT_GAS;
    const maxMs = Math.min(leftMs, budgetMs * SHARE);
    const isTried = isLight || lostMs < budgetMs * LOST_SHARE;
    const verdict = isTried ? await judge(transaction, selection, maxMs) : PASSED;
    if (!isTried) heavy.push(transaction);
    take(transaction, verdict);
    if (isOver) break;
    next = iterator.next(verdict.kind === "taken");
    if (turns.isDue) await turns.yield();
  }
  iterator.return?.();
  for (const transaction of heavy) {
    const maxMs = Math.min(remainingMs(), budgetMs * SHARE);
    if (isOver || maxMs <= 0) break;
    take(transaction, await judge(transaction, selection, maxMs));
  }
  for (const transaction of long) {
    const maxMs = remainingMs();
    const isWorthIt: boolean = !isOver && maxMs > budgetMs * SHARE;
    const verdict: Verdict = isWorthIt ? await judge(transaction, selection, maxMs) : BEHIND;
    isOver ||= verdict.kind === "stop";
    if (verdict.kind === "too-long") leftOut.push(leaveTooLong(transaction, verdict, budgetMs));
    // Also if the block is full: it has had its share.
    else take(transaction, verdict.kind === "passed" || verdict.kind === "stop" ? BEHIND : verdict);
  }
  return { transactions, leftOut };
}

/** The remaining time for transactions. */
function startBudget(time: SelectionLimits["time"]): () => number {
  if (time === undefined) return () => Number.POSITIVE_INFINITY;
  const end = time.clock.now() + time.budgetMs;
  return () => end - time.clock.now();
}

async function judge(
  transaction: Transaction,
  selection: Selection,
  maxMs: number,
): Promise<Verdict> {
  const { execution, space, state, draft } = selection;
  if (transaction.gasLimit > draft.gasLimit) {
    return never(
      `its gas limit of ${transaction.gasLimit} is above that of blocks, ${draft.gasLimit}`,
    );
  }
  if (!space.hasRoomFor(transaction)) return PASSED;
  if (!execution.hasRoomFor(transaction)) return isFullEnough(selection) ? STOP : PASSED;
  const refused = await askPlugins(transaction, selection);
  if (refused !== undefined) return refused;
  const before = cpuTime.recentMs();
  try {
    const read = execution.readState(() => findProblem(transaction, state));
    const problem = read instanceof Promise ? await read : read;
    if (problem !== undefined) return problem;
    await execution.run(transaction, { maxMs, yields: true });
    space.take(transaction);
    return TAKEN;
  } catch (error) {
    // It can run, and in another state without that event: not dropped, but not retried with every
    // block.
    if (error instanceof MalformedDeposit) return setAside(error.message);
    if (error instanceof InvalidBlock) return never(error.message);
    const isFault = error instanceof ExecutionFault || error instanceof StateUnavailable;
    if (isFault) return setAside(error.message);
    if (error instanceof RunTooLong) {
      return { kind: "too-long", maxMs, cpuMs: cpuTime.sinceMs(before) };
    }
    throw error;
  }
}

/**
 * A transaction that had most of a block's time to itself will not fit into the next block either.
 *
 * Except if the process did not run: a paused or overloaded machine proves nothing.
 */
function leaveTooLong(
  transaction: Transaction,
  { maxMs, cpuMs }: { readonly maxMs: number; readonly cpuMs: number },
  budgetMs: number,
): LeftOut {
  const isHopeless = maxMs * 2 >= budgetMs && cpuMs * 2 >= maxMs;
  const message = `it was still running after ${Math.round(maxMs)} ms of the ${budgetMs} ms in which a block is filled`;
  return { transaction, fate: isHopeless ? "set-aside" : "behind", message };
}

async function askPlugins(
  candidate: Transaction,
  { hooks, draft }: Selection,
): Promise<Verdict | undefined> {
  if (hooks?.transaction.isUsed() !== true) return undefined;
  const verdict = await hooks.transaction.call({ candidate, draft });
  if (verdict === "stop") return STOP;
  if (verdict === "drop") return never("a plugin excludes it from blocks");
  return verdict === "skip" ? later("a plugin deferred it to another block") : undefined;
}

/** Checks against the sender's account, which changes with earlier transactions. */
function findProblem(transaction: Transaction, state: StateReader): Verdict | undefined {
  const { sender, nonce } = transaction;
  const account = state.findAccount(sender) ?? { nonce: 0n, balance: 0n };
  if (nonce > account.nonce) return PASSED;
  if (nonce < account.nonce) return never(`nonce ${nonce} of its sender is used`);
  const cost = upfrontCost(transaction);
  if (account.balance >= cost) return undefined;
  return later(`it may cost ${cost} wei, but its sender has ${account.balance}`);
}

function isFullEnough({ execution, draft, minOccupancy = 1 }: Selection): boolean {
  const used = draft.gasLimit - execution.gasLeft;
  return Number(used) >= Number(draft.gasLimit) * minOccupancy;
}

const never = (message: string): Verdict => ({ kind: "left-out", fate: "drop", message });
const later = (message: string): Verdict => ({ kind: "left-out", fate: "retry", message });
const BEHIND: Verdict = {
  kind: "left-out",
  fate: "behind",
  message: "it took longer than its share of the time in which a block is filled",
};
const setAside = (message: string): Verdict => ({ kind: "left-out", fate: "set-aside", message });
