import { type Address, type StateReader, toHex } from "@plinth/core";
import type { TraceFrame } from "@plinth/core/evm";

/** EIP-7702: the prefix of a delegation to the address whose code an account runs. */
const DELEGATION = "0xef0100";
const DELEGATION_CHARACTERS = 48;

/** The code that a frame runs; empty for a precompile. */
export function codeOf(
  { to, codeAddress, input, isPrecompile }: TraceFrame,
  state: StateReader,
): string {
  if (to === undefined) return toHex(input);
  if (isPrecompile) return "0x";
  const code = toHex(state.getCode(codeAddress ?? to));
  const isDelegated = code.length === DELEGATION_CHARACTERS && code.startsWith(DELEGATION);
  return isDelegated ? toHex(state.getCode(`0x${code.slice(DELEGATION.length)}` as Address)) : code;
}
