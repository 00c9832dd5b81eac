import { type EvmResult, ImpossibleCall, RpcError, toHex } from "@plinth/core";

/** The selector of `Error(string)`, which Solidity reverts with. */
const ERROR_SELECTOR = "0x08c379a0";
const WORD = 64;
const HALTED = "Transaction processing could not be completed due to an exception";

const CODES: Readonly<Record<ImpossibleCall["reason"], number>> = {
  "intrinsic-gas": -32003,
  "upfront-cost": -32004,
  "fee-below-base-fee": -32009,
};

/** What a caller is told of a call that did not succeed. */
export function failureOf({ outcome, returnValue }: EvmResult): RpcError {
  if (outcome !== "reverted") return new RpcError(-32000, HALTED);
  const data = toHex(returnValue);
  const reason = findReason(data);
  const message = reason === undefined ? "Execution reverted" : `Execution reverted: ${reason}`;
  // Clients decode custom errors only under this code.
  return new RpcError(3, message, data);
}

/** What a caller is told of a call that could not begin. */
export function impossible(error: unknown): unknown {
  if (!(error instanceof ImpossibleCall)) return error;
  return new RpcError(CODES[error.reason], error.message);
}

function findReason(data: string): string | undefined {
  if (!data.startsWith(ERROR_SELECTOR)) return undefined;
  const digits = data.slice(ERROR_SELECTOR.length);
  const length = Number.parseInt(digits.slice(WORD, 2 * WORD), 16);
  const text = digits.slice(2 * WORD, 2 * WORD + length * 2);
  const isString = Number.parseInt(digits.slice(0, WORD), 16) === 32 && text.length === length * 2;
  return isString ? Buffer.from(text, "hex").toString("utf8") : "ABI decode error";
}
