import { toHex } from "@plinth/core";
import type { EvmResult } from "@plinth/core/evm";
import { findRevertReason } from "@plinth/kit-rpc";

/** The selector of `Panic(uint256)`, which Solidity reverts with when code breaks a rule of the language. */
const PANIC_SELECTOR = "0x4e487b71";
/** Solidity's codes of what broke. */
const PANICS: Readonly<Record<number, string>> = {
  1: "an assertion failed",
  17: "arithmetic overflow or underflow",
  18: "division by zero",
  33: "a value is not in its enum",
  34: "storage bytes are encoded wrongly",
  49: "pop of an empty array",
  50: "an index is out of bounds",
  65: "too much memory",
  81: "a call of an empty function variable",
};
const SELECTOR_LENGTH = 10;

/** Why a transaction failed, in the words of its contract where it has some. */
export function describeFailure(
  { outcome, halt, haltDetail, returnValue }: EvmResult,
  describeError: (data: Uint8Array) => string | undefined = () => undefined,
): string {
  if (outcome === "halted") {
    const detail = haltDetail === undefined ? "" : `: ${haltDetail}`;
    return `failed: ${halt ?? "the EVM gave up"}${detail}`;
  }
  const data = toHex(returnValue);
  if (data === "0x") return "reverted without a reason";
  const reason = findRevertReason(data) ?? findPanic(data) ?? describeError(returnValue);
  return `reverted: ${reason ?? describeCustom(data)}`;
}

function findPanic(data: string): string | undefined {
  if (!data.startsWith(PANIC_SELECTOR)) return undefined;
  const code = Number.parseInt(data.slice(SELECTOR_LENGTH), 16);
  return `panic 0x${code.toString(16)} (${PANICS[code] ?? "unknown to Solidity"})`;
}

function describeCustom(data: string): string {
  if (data.length < SELECTOR_LENGTH) return data;
  const parameters = data.slice(SELECTOR_LENGTH);
  const selector = data.slice(0, SELECTOR_LENGTH);
  return `custom error ${selector}${parameters === "" ? "" : ` with ${parameters}`}`;
}
