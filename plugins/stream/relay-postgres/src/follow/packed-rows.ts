import type { Row } from "../database/database.js";
import { copyLine } from "../rows/values.js";

/** With more rows COPY is faster than INSERT. */
export const MAX_INSERTED = 50;

/** Rows of a table: a few as they are, more as the bytes of COPY, since many small values slow down the garbage collector. */
export type PackedRows =
  | { readonly rows: readonly Row[]; readonly bytes?: undefined }
  | { readonly bytes: Buffer };

/** Packs the rows of a block. */
export function packRows(rows: readonly Row[]): PackedRows {
  return rows.length <= MAX_INSERTED ? { rows } : { bytes: bytesOfRows({ rows }) };
}

/** The bytes of COPY. */
export function bytesOfRows(packed: PackedRows): Buffer {
  if (packed.bytes !== undefined) return packed.bytes;
  let text = "";
  for (const row of packed.rows) text += copyLine(row);
  return Buffer.from(text);
}

/** About as many bytes as the rows take as text. */
export function sizeOfRows(packed: PackedRows): number {
  if (packed.bytes !== undefined) return packed.bytes.length;
  let size = 0;
  for (const row of packed.rows) for (const value of row) size += (value?.length ?? 1) + 1;
  return size;
}
