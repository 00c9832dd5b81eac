import { type Block, type EvmResult, toHex } from "@plinth/core";
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

/** A line about a transaction. */
interface OutcomeLine {
  readonly text: string;
  readonly isFailure: boolean;
}

/** What is worth a line about a block's transactions: contracts that were made, and failures with their reason. */
export function formatOutcomes(
  { body }: Block,
  results: readonly EvmResult[],
): readonly OutcomeLine[] {
  return body.transactions.flatMap(({ hash, to }, index): OutcomeLine[] => {
    const result = results[index];
    if (result === undefined) return [];
    if (result.outcome !== "success") {
      return [{ text: `  ${hash} ${describeFailure(result)}`, isFailure: true }];
    }
    const { createdAddress } = result;
    if (to !== undefined || createdAddress === undefined) return [];
    return [{ text: `  ${hash} created ${createdAddress}`, isFailure: false }];
  });
}

/** Why a transaction failed, in the words of its contract where it has some. */
export function describeFailure({ outcome, halt, returnValue }: EvmResult): string {
  if (outcome === "halted") return `failed: ${halt ?? "the EVM gave up"}`;
  const data = toHex(returnValue);
  if (data === "0x") return "reverted without a reason";
  return `reverted: ${findRevertReason(data) ?? findPanic(data) ?? describeCustom(data)}`;
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
