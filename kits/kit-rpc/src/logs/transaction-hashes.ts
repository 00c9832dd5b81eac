import { decodeRlp, type Hash, RlpError } from "@plinth/core";
import { keccakHash, rlpItems } from "@plinth/core/primitives";

/** The first byte of an RLP list is this or higher. */
const LIST_PREFIX = 0xc0;

/**
 * The hashes of the transactions of an encoded body at some indexes; no transaction is decoded.
 *
 * Throws `RlpError` if there are fewer transactions.
 */
export function hashTransactions(
  body: Uint8Array,
  indexes: ReadonlySet<number>,
): ReadonlyMap<number, Hash> {
  const { value: transactions } = rlpItems(body).next();
  if (transactions === undefined) throw new RlpError("body.transactions: missing");
  const hashes = new Map<number, Hash>();
  let index = 0;
  for (const item of rlpItems(transactions)) {
    if (indexes.has(index)) hashes.set(index, hashItem(item));
    if (hashes.size === indexes.size) return hashes;
    index += 1;
  }
  throw new RlpError(`body: ${index} transactions, expected one at ${Math.max(...indexes)}`);
}

/** Inside a body, a transaction of type 0 is a list, one of another type is bytes. */
function hashItem(item: Uint8Array): Hash {
  const raw = (item[0] ?? 0) >= LIST_PREFIX ? item : decodeRlp(item);
  if (raw instanceof Uint8Array) return keccakHash(raw);
  throw new RlpError("body.transactions: a list, expected bytes");
}
