import type { SealedHeader } from "@plinth/core";
import type { ForkPoint } from "@plinth/core/consensus";
import type { Shortfall } from "@plinth/core/pool";
import type { ForkSchedule } from "@plinth/core/rules";
import { baseFeeOn, blobBaseFee, nextExcessBlobGas } from "@plinth/core/rules";
import type { PooledTransaction } from "./pooled-transaction.js";

/** The required prices in the next block. */
export interface Prices {
  /** `undefined` before London. */
  readonly baseFee: bigint | undefined;
  /** Zero before blobs. */
  readonly blobFee: bigint;
  /** Minimum effective gas price of transactions without priority. */
  readonly minGasPrice: bigint;
  /** Minimum priority fee of transactions without priority. */
  readonly minPriorityFee: bigint;
}

type Fees = Pick<
  PooledTransaction,
  "maxFeePerGas" | "maxPriorityFeePerGas" | "hasPriority" | "transaction"
>;

/** The fees of the block after this one, at that position. */
export function feesAfter(
  head: SealedHeader,
  point: ForkPoint,
  forks: ForkSchedule,
): Pick<Prices, "baseFee" | "blobFee"> {
  const blobs = forks.blobsAt(point);
  const isFree = forks.rules.baseFee === "zero";
  return {
    baseFee: forks.rulesAt(point).hasBaseFee ? baseFeeOn(head, forks) : undefined,
    blobFee: isFree ? 0n : blobBaseFee(nextExcessBlobGas(head, blobs), blobs),
  };
}

/**
 * The priority fee the block producer receives per gas; negative if the base fee is not covered.
 */
export function tipOf(
  { maxFeePerGas, maxPriorityFeePerGas }: Pick<Fees, "maxFeePerGas" | "maxPriorityFeePerGas">,
  baseFee = 0n,
): bigint {
  const room = maxFeePerGas - baseFee;
  return maxPriorityFeePerGas < room ? maxPriorityFeePerGas : room;
}

/** Which price keeps a transaction out of the next block; `undefined` if it pays enough. */
export function findShortfall(
  fees: Fees,
  { baseFee = 0n, blobFee, minGasPrice, minPriorityFee }: Prices,
): Shortfall | undefined {
  const { maxFeePerGas, hasPriority, transaction } = fees;
  if (maxFeePerGas < baseFee) return { price: "base-fee", offered: maxFeePerGas, needed: baseFee };
  const { maxFeePerBlobGas } = transaction;
  if (maxFeePerBlobGas !== undefined && maxFeePerBlobGas < blobFee) {
    return { price: "blob-fee", offered: maxFeePerBlobGas, needed: blobFee };
  }
  if (hasPriority) return undefined;
  const tip = tipOf(fees, baseFee);
  if (baseFee + tip < minGasPrice) {
    return { price: "min-gas-price", offered: baseFee + tip, needed: minGasPrice };
  }
  if (tip < minPriorityFee) {
    return { price: "min-priority-fee", offered: tip, needed: minPriorityFee };
  }
  return undefined;
}
