import { type Compatibility, encodeRlp } from "@plinth/core";
import { DIFFERENCES } from "./differences.js";

/** A transaction or receipt in its binary form; typed ones are wrapped once more where callers expect that. */
export function rawItem(
  bytes: Uint8Array,
  { type }: { readonly type: number },
  { mode }: Compatibility,
): Uint8Array {
  return DIFFERENCES[mode].wrapsRawItems && type !== 0 ? encodeRlp(bytes) : bytes;
}
