import { toHex } from "../primitives/hex.js";

/** EIP-7702: code that only designates the contract whose code runs. */
const DELEGATION = "0xef0100";
const DELEGATION_BYTES = 23;

/** Whether the code of an account is a delegation to a contract (EIP-7702). */
export function isDelegation(code: Uint8Array): boolean {
  return code.length === DELEGATION_BYTES && toHex(code.subarray(0, 3)) === DELEGATION;
}
