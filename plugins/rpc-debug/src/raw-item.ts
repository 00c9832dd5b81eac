import { type Compatibility, encodeRlp } from "@plinth/core";

/** A transaction or receipt in its binary form; typed ones are wrapped once more where callers expect that. */
export function rawItem(
  bytes: Uint8Array,
  { type }: { readonly type: number },
  { wrapsRawItems }: Compatibility,
): Uint8Array {
  return wrapsRawItems && type !== 0 ? encodeRlp(bytes) : bytes;
}
