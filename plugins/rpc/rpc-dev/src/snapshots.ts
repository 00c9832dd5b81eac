import { type Hash, RpcError, type Runtime, type Transaction } from "@plinth/core";
import type { ChainTime, DevChain } from "@plinth/plugin-consensus-dev/api";
import type { DevFork } from "@plinth/plugin-dev-fork/api";
import { withRpcErrors } from "./with-rpc-errors.js";

/** A point of the chain to revert to. */
interface Snapshot {
  readonly head: Hash;
  readonly time: ChainTime;
  /** The pending transactions. */
  readonly waiting: readonly Transaction[];
}

/** Enough for any test suite; they are not persisted. */
const MAX_SNAPSHOTS = 10_000;

/** Points of the chain that a test reverts to, numbered from 1. */
export class Snapshots {
  readonly #byId = new Map<number, Snapshot>();
  #last = 0;

  take({ chain, pool, dev }: SnapshotContext): string {
    if (this.#byId.size >= MAX_SNAPSHOTS) {
      throw new RpcError(-32000, `there are ${MAX_SNAPSHOTS} snapshots already: revert to one`);
    }
    this.#last += 1;
    this.#byId.set(this.#last, {
      head: chain.blocks.head().hash,
      time: dev.time,
      waiting: pool.all(),
    });
    return `0x${this.#last.toString(16)}`;
  }

  /** Reverts to a snapshot, which is consumed with all later ones; `false` if it does not exist. */
  async revert(id: bigint, context: SnapshotContext): Promise<boolean> {
    const snapshot = this.#byId.get(Number(id));
    if (snapshot === undefined) return false;
    await comeBack(snapshot, context);
    for (const later of [...this.#byId.keys()]) if (later >= id) this.#byId.delete(later);
    return true;
  }

  /** Resets the chain to its first block, or to that of its fork; consumes every snapshot. */
  async reset(context: SnapshotContext & ResetContext): Promise<void> {
    const { chain, clock, fork } = context;
    const head = fork?.start() ?? chain.blocks.findHeader(0n)?.hash ?? "0x";
    const now = BigInt(Math.floor(clock.now() / 1000));
    const begun = fork === undefined ? now : (chain.blocks.findHeader(head)?.timestamp ?? now);
    const time = { offsetSeconds: begun - now, next: undefined };
    await comeBack({ head, time, waiting: [] }, context);
    this.#byId.clear();
  }
}

/** What a snapshot covers. */
export type SnapshotContext = Pick<Runtime, "chain" | "pool"> & { readonly dev: DevChain };

/** Where a reset leads. */
export interface ResetContext {
  readonly clock: Pick<Runtime["clock"], "now">;
  readonly fork: DevFork | undefined;
}

async function comeBack({ head, time, waiting }: Snapshot, { pool, dev }: SnapshotContext) {
  const kept = new Set(waiting.map(({ hash }) => hash));
  const others = pool.all().filter(({ hash }) => !kept.has(hash));
  for (const { hash } of others) await pool.remove(hash);
  try {
    await withRpcErrors(dev.setHead(head));
  } catch (error) {
    await submit(others, pool);
    throw error;
  }
  dev.time = time;
  await submit(waiting, pool);
}

async function submit(
  transactions: Snapshot["waiting"],
  pool: SnapshotContext["pool"],
): Promise<void> {
  for (const { hash, raw, sender } of transactions) {
    if (pool.find(hash) === undefined) await pool.submit(raw, { sender });
  }
}
