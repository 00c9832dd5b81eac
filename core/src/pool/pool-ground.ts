import type { SealedHeader } from "../blocks/header.js";
import type { Transaction } from "../blocks/transaction.js";
import type { BlockReader } from "../chain/block-reader.js";
import type { ForkPoint, ForkSchedule } from "../chain/rules/forks.js";
import type { StateReader } from "../evm/world-state.js";
import type { Clock } from "../kernel/clock.js";
import { senderOf } from "./admission.js";
import type { BlobProofVerifier } from "./blobs/proof-verifier.js";
import type { PoolHooks } from "./hooks.js";
import type { PoolRecord } from "./pool-record.js";
import type { TransactionOrigin } from "./pooled-transaction.js";
import { feesAfter, type Prices } from "./prices.js";
import type { PoolSettings } from "./settings.js";

/** What this node asks of those without priority. */
export type PriceFloor = Pick<Prices, "minGasPrice" | "minPriorityFee">;

/** What a pool stands on. */
export interface PoolGround {
  readonly settings: PoolSettings;
  readonly floor: PriceFloor;
  readonly chainId: bigint | undefined;
  readonly forks: ForkSchedule;
  readonly blocks: BlockReader;
  readonly record: PoolRecord;
  readonly clock: Pick<Clock, "now">;
  readonly hooks: PoolHooks;
  /** Verifies the proofs of blobs; `undefined` where no plugin does. */
  readonly findProofVerifier: () => BlobProofVerifier | undefined;
}

/** Where the next block would stand. */
export function nextPoint({ blocks, clock }: PoolGround): ForkPoint {
  const { number, timestamp, difficulty }: SealedHeader = blocks.head();
  const now = BigInt(Math.floor(clock.now() / 1000));
  return { number: number + 1n, timestamp: now > timestamp ? now : timestamp + 1n, difficulty };
}

/** What transactions have to pay in it. */
export function nextPrices(ground: PoolGround): Prices {
  const { blocks, forks, floor } = ground;
  return { ...feesAfter(blocks.head(), nextPoint(ground), forks), ...floor };
}

/** The state after the head. */
export function latestState({ blocks }: PoolGround): StateReader {
  return blocks.stateAt(blocks.head());
}

/** Whether a transaction goes before all others, whatever they pay. */
export function hasPriority(
  transaction: Transaction,
  origin: TransactionOrigin,
  { settings: { hasLocalPriority, prioritySenders } }: Pick<PoolGround, "settings">,
): boolean {
  if (origin === "local" && hasLocalPriority) return true;
  return prioritySenders.size > 0 && prioritySenders.has(senderOf(transaction));
}
