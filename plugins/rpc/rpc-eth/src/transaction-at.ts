import type { Compatibility, SealedBlock } from "@plinth/core";
import { transactionObject } from "@plinth/kit-rpc";

/** A transaction of a block in its RPC form; null if the block or the transaction is unknown. */
export function transactionAt(
  block: SealedBlock | undefined,
  index: number,
  compatibility: Compatibility,
): object | null {
  const transaction = block?.body.transactions[index];
  if (block === undefined || transaction === undefined) return null;
  return transactionObject(transaction, { at: { header: block.header, index }, compatibility });
}
