import { type EvmResult, findRevertReason, ImpossibleCall, RpcError, toHex } from "@plinth/core";

const HALTED = "Transaction processing could not be completed due to an exception";

/** What client libraries recognise missing funds by. */
export const MISSING_FUNDS = ": insufficient funds for gas * price + value";

const CODES: Readonly<Record<ImpossibleCall["reason"], number>> = {
  "intrinsic-gas": -32003,
  "upfront-cost": -32004,
  "fee-below-base-fee": -32009,
};

/** What a caller is told of a call that did not succeed. */
export function failureOf({ outcome, returnValue }: EvmResult): RpcError {
  if (outcome !== "reverted") return new RpcError(-32000, HALTED);
  const data = toHex(returnValue);
  const reason = findRevertReason(data);
  const message = reason === undefined ? "Execution reverted" : `Execution reverted: ${reason}`;
  // Clients decode custom errors only under this code.
  return new RpcError(3, message, data);
}

/** What a caller is told of a call that could not begin. */
export function impossible(error: unknown): unknown {
  if (!(error instanceof ImpossibleCall)) return error;
  const detail = error.reason === "upfront-cost" ? MISSING_FUNDS : "";
  return new RpcError(CODES[error.reason], `${error.message}${detail}`);
}
