import { encodeRlp, type Header } from "@plinth/core";
import { headerFromRlp, headerToRlp } from "@plinth/core/blocks";
import { decodeItems } from "./decode-items.js";
import type { BlocksFile } from "./manifest.js";

/** Encodes consecutive headers. */
export function encodeHeaders(headers: readonly Header[]): Uint8Array {
  return encodeRlp(headers.map(headerToRlp));
}

/** Decodes the headers of a file; throws `SnapshotError` unless they have the numbers of the manifest. */
export function decodeHeaders(bytes: Uint8Array, file: BlocksFile): readonly Header[] {
  return decodeItems(bytes, file, (item, index) => {
    const header = headerFromRlp(item);
    const expected = file.firstBlock + BigInt(index);
    if (header.number === expected) return header;
    throw new RangeError(`it has block ${header.number} in the place of block ${expected}`);
  });
}
