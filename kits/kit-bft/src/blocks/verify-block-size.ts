import type { SealedHeader } from "@plinth/core";
import type { Steps } from "@plinth/core/async";
import { verifyRule } from "../messages/rejected.js";
import { type BlockOutline, countTransactions } from "./read-block.js";

/** A transaction costs 21,000 gas at least, of which refunds give back a half at most. */
const MIN_TRANSACTION_GAS = 10_000n;
/** The gas limit may double at the London fork; it changes by a thousandth otherwise. */
const MAX_GROWTH = 3n;

/** Throws `Rejected` when a block has more transactions than gas can pay for: they are counted and not read. */
export function* verifyBlockSize(block: BlockOutline, parent: SealedHeader): Steps<void> {
  const { number, gasLimit } = block.header;
  verifyRule(
    gasLimit <= parent.gasLimit * MAX_GROWTH,
    "gas-limit",
    `block ${number} has a gas limit of ${gasLimit} after one of ${parent.gasLimit}`,
  );
  const max = Number(gasLimit / MIN_TRANSACTION_GAS);
  verifyRule(
    (yield* countTransactions(block, max)) <= max,
    "gas-limit",
    `block ${number} has more than ${max} transactions, which its gas limit does not allow`,
  );
}

/** What a message has beside its block: justifications, and a block access list of Besu. */
const SPARE_BYTES = 2 ** 20;

/** The largest message that has a block on a parent: no byte of a transaction costs less than two gas. */
export function maxMessageBytes({ gasLimit }: SealedHeader): number {
  return Number(gasLimit) + SPARE_BYTES;
}
