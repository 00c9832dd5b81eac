import { toHex } from "@plinth/core";

const MAX_BYTES = 36;

/** Abbreviated data: its first bytes, and its length. */
export function shortData(data: Uint8Array): string {
  const hex = toHex(data.subarray(0, MAX_BYTES));
  return data.length > MAX_BYTES ? `${hex}… (${data.length} bytes)` : hex;
}
