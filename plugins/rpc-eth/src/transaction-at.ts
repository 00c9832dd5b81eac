import { type Compatibility, type SealedBlock, transactionObject } from "@plinth/core";

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
