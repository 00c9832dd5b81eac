import { type Rlp, RlpError } from "@plinth/core";

/**
 * Reads the signed messages inside of another one; throws `RlpError` when there are more than there can be authors.
 *
 * It takes a tenth of a millisecond to find out who signed one: a long list would stop the node for seconds.
 */
export function readSigned<T>(
  name: string,
  items: readonly Rlp[],
  { maxAuthors, read }: { readonly maxAuthors: number; readonly read: (item: Rlp) => T },
): readonly T[] {
  if (items.length <= maxAuthors) return items.map(read);
  throw new RlpError(`${name}: ${items.length} messages, expected at most ${maxAuthors}`);
}
