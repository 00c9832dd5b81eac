import type { Compatibility, SealedBlock } from "@plinth/core";
import { transactionObject } from "@plinth/kit-rpc";

/** A transaction of a block as callers see it; null when the block or the transaction is not there. */
export function transactionAt(
  block: SealedBlock | undefined,
  index: number,
  compatibility: Compatibility,
): object | null {
  const transaction = block?.body.transactions[index];
  if (block === undefined || transaction === undefined) return null;
  return transactionObject(transaction, { at: { header: block.header, index }, compatibility });
}
