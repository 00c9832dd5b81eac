import { type Compatibility, encodeRlp } from "@plinth/core";
import { DIFFERENCES } from "./differences.js";

/**
 * A transaction or receipt in binary form; typed ones are wrapped in another RLP string if callers
 * expect that.
 */
export function rawItem(
  bytes: Uint8Array,
  { type }: { readonly type: number },
  { mode }: Compatibility,
): Uint8Array {
  return DIFFERENCES[mode].wrapsRawItems && type !== 0 ? encodeRlp(bytes) : bytes;
}
