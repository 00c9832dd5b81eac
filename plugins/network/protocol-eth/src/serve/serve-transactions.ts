import type { Hash, Pool, Rlp } from "@plinth/core";
import { pooledFromBytes } from "../codec/transactions.js";
import { AnswerSize } from "./serve-blocks.js";

/** The requested pool transactions; unknown ones are omitted. */
export function collectTransactions(
  pool: Pick<Pool, "find" | "findNetworkForm">,
  hashes: readonly Hash[],
): readonly Rlp[] {
  const size = new AnswerSize();
  const items: Rlp[] = [];
  for (const hash of hashes) {
    const transaction = pool.find(hash);
    const form = pool.findNetworkForm(hash);
    if (transaction === undefined || form === undefined) continue;
    if (!size.fits(form.length)) break;
    items.push(pooledFromBytes(transaction, form));
  }
  return items;
}
