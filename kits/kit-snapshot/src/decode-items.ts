import { decodeRlp, InvalidTransaction, messageOf, type Rlp, RlpError } from "@plinth/core";
import { invalid } from "./snapshot-error.js";

/** Decodes a file that is a list; throws `SnapshotError` unless it has as many items as the manifest says. */
export function decodeItems<T>(
  bytes: Uint8Array,
  { name, count }: { readonly name: string; readonly count: number },
  decode: (item: Rlp, index: number) => T,
): readonly T[] {
  try {
    const items = decodeRlp(bytes);
    if (items instanceof Uint8Array) throw new RlpError("bytes, expected a list");
    if (items.length !== count) {
      throw new RangeError(`it has ${items.length} items, the manifest has ${count}`);
    }
    return items.map(decode);
  } catch (error) {
    const isExpected =
      error instanceof RangeError ||
      error instanceof RlpError ||
      error instanceof InvalidTransaction;
    throw isExpected ? invalid(name, messageOf(error), error) : error;
  }
}
