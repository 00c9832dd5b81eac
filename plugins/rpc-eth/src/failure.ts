import {
  type Compatibility,
  type EvmResult,
  findRevertReason,
  ImpossibleCall,
  RpcError,
  toHex,
} from "@plinth/core";

const HALTED = "Transaction processing could not be completed due to an exception";

const CODES: Readonly<Record<Exclude<ImpossibleCall["reason"], "upfront-cost">, number>> = {
  "intrinsic-gas": -32003,
  "fee-below-base-fee": -32009,
};

/** What a caller is told of a call that did not succeed. */
export function failureOf(
  { outcome, returnValue }: EvmResult,
  { revert }: Compatibility,
): RpcError {
  if (outcome !== "reverted") return new RpcError(-32000, HALTED);
  const data = toHex(returnValue);
  const reason = findRevertReason(data);
  const message = reason === undefined ? revert.text : `${revert.text}: ${reason}`;
  return new RpcError(revert.code, message, data);
}

/** What a caller is told of a call that could not begin. */
export function impossible(error: unknown, compatibility: Compatibility): unknown {
  if (!(error instanceof ImpossibleCall)) return error;
  if (error.reason === "upfront-cost") return missingFunds(compatibility);
  return new RpcError(CODES[error.reason], error.message);
}

/** What a caller is told who cannot pay. */
export function missingFunds({ missingFunds: { code, text } }: Compatibility): RpcError {
  return new RpcError(code, text);
}
