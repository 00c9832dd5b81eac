import type { BlockReader, Clock, SealedHeader, StateReader, Transaction } from "@plinth/core";
import type { SenderRecovery } from "@plinth/core/blocks";
import type { ForkPoint } from "@plinth/core/consensus";
import type {
  BlobProofVerifier,
  PoolHooks,
  PriceFloor,
  TransactionOrigin,
} from "@plinth/core/pool";
import type { ForkSchedule } from "@plinth/core/rules";
import { senderOf } from "./admission.js";
import type { PoolRecord } from "./pool-record.js";
import { feesAfter, type Prices } from "./prices.js";
import type { PoolSettings } from "./settings.js";

type Fees = Pick<Prices, "baseFee" | "blobFee">;

/** The dependencies of a pool. */
export interface PoolContext {
  readonly settings: PoolSettings;
  readonly floor: PriceFloor;
  readonly chainId: bigint | undefined;
  readonly forks: ForkSchedule;
  readonly blocks: BlockReader;
  readonly record: PoolRecord;
  readonly recovery: Pick<SenderRecovery, "recoverArrived">;
  readonly clock: Pick<Clock, "now">;
  readonly hooks: PoolHooks;
  /** Verifies the proofs of blobs; `undefined` if no plugin does. */
  readonly findProofVerifier: () => BlobProofVerifier | undefined;
}

/** The position of the next block. */
export function nextPoint({ blocks, clock }: PoolContext): ForkPoint {
  const { number, timestamp, difficulty }: SealedHeader = blocks.head();
  const now = BigInt(Math.floor(clock.now() / 1000));
  return { number: number + 1n, timestamp: now > timestamp ? now : timestamp + 1n, difficulty };
}

/** The required prices in it. */
export function nextPrices(context: PoolContext): Prices {
  const { baseFee, blobFee } = nextFees(context);
  const { minGasPrice, minPriorityFee } = context.floor;
  return { baseFee, blobFee, minGasPrice, minPriorityFee };
}

/** The fees of the next block; they change with the head, and once a second at most. */
function nextFees(context: PoolContext): Fees {
  const { blocks, forks } = context;
  const head = blocks.head();
  const point = nextPoint(context);
  const known = lastFees.get(context);
  if (known?.head === head && known.timestamp === point.timestamp) return known.fees;
  const fees = feesAfter(head, point, forks);
  lastFees.set(context, { head, timestamp: point.timestamp, fees });
  return fees;
}

/** Those of the last call for a pool. */
const lastFees = new WeakMap<
  PoolContext,
  { readonly head: SealedHeader; readonly timestamp: bigint; readonly fees: Fees }
>();

/** The state after the head. */
export function latestState({ blocks }: PoolContext): StateReader {
  return blocks.stateAt(blocks.head());
}

/** Whether a transaction takes precedence over all others, whatever they pay. */
export function hasPriority(
  transaction: Transaction,
  origin: TransactionOrigin,
  { settings: { hasLocalPriority, prioritySenders } }: Pick<PoolContext, "settings">,
): boolean {
  if (origin === "local" && hasLocalPriority) return true;
  return prioritySenders.size > 0 && prioritySenders.has(senderOf(transaction));
}
