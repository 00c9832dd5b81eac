import { type Address, toHex } from "@plinth/core";

const DELEGATION_BYTES = 23;

/** EIP-7702: the account whose code runs instead of a delegation. */
export function delegateOf(code: Uint8Array): Address | undefined {
  if (code.length !== DELEGATION_BYTES) return undefined;
  if (code[0] !== 0xef || code[1] !== 0x01 || code[2] !== 0x00) return undefined;
  return toHex(code.subarray(3));
}
