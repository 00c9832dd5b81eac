import { decodeRlp, InvalidTransaction, messageOf, type Rlp, RlpError } from "@plinth/core";
import { rlpItems } from "@plinth/core/primitives";
import { invalid } from "./snapshot-error.js";

/** What the manifest says of a file that is a list. */
interface ListFile {
  readonly name: string;
  readonly count: number;
}

/** Splits a file that is a list; throws `SnapshotError` unless it has as many items as the manifest says. */
export function splitItems(bytes: Uint8Array, { name, count }: ListFile): readonly Uint8Array[] {
  return decoding(name, () => {
    const items: Uint8Array[] = [];
    for (const item of rlpItems(bytes)) {
      if (items.length === count)
        throw new RangeError(`it has more items than the manifest: ${count}`);
      items.push(item);
    }
    if (items.length === count) return items;
    throw new RangeError(`it has ${items.length} items, the manifest has ${count}`);
  });
}

/** Decodes an item of a file; throws `SnapshotError` if it is malformed. */
export function decodeItem<T>(
  item: Uint8Array,
  { name }: Pick<ListFile, "name">,
  decode: (item: Rlp) => T,
): T {
  return decoding(name, () => decode(decodeRlp(item)));
}

/** Decodes all items of a file. */
export function decodeItems<T>(
  bytes: Uint8Array,
  file: ListFile,
  decode: (item: Rlp, index: number) => T,
): readonly T[] {
  return splitItems(bytes, file).map((item, index) =>
    decodeItem(item, file, (decoded) => decode(decoded, index)),
  );
}

function decoding<T>(name: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    const isExpected =
      error instanceof RangeError ||
      error instanceof RlpError ||
      error instanceof InvalidTransaction;
    throw isExpected ? invalid(name, messageOf(error), error) : error;
  }
}
