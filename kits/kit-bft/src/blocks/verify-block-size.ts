import type { SealedHeader } from "@plinth/core";
import type { Steps } from "@plinth/core/async";
import { verifyRule } from "../messages/rejected.js";
import { type BlockOutline, countTransactions } from "./read-block.js";

/** A transaction costs at least 21,000 gas, of which refunds return at most half. */
const MIN_TRANSACTION_GAS = 10_000n;
/** The gas limit may double at the London fork; otherwise it changes by a thousandth. */
const MAX_GROWTH = 3n;

/**
 * Throws `Rejected` if a block has more transactions than gas can pay for: they are counted but not
 * decoded.
 */
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

/** The size of a message besides its block: justifications, and a block access list of Besu. */
const SPARE_BYTES = 2 ** 20;

/**
 * Maximum size of a message with a block on a parent: no byte of a transaction costs less than two
 * gas.
 */
export function maxMessageBytes({ gasLimit }: SealedHeader): number {
  return Number(gasLimit) + SPARE_BYTES;
}
