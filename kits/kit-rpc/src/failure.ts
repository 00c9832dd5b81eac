import { type Compatibility, RpcError, toHex } from "@plinth/core";
import { AccountOverflow } from "@plinth/core/blocks";
import { type EvmResult, RunTooLarge, RunTooLong } from "@plinth/core/evm";
import { ImpossibleCall, type ImpossibleReason, OverrideProblem } from "@plinth/core/query";
import { differencesOf } from "./differences.js";
import { haltText } from "./halt-text.js";
import { describeRevert, findRevertReason } from "./revert-reason.js";

const HALTED = "Transaction processing could not be completed due to an exception";
const HALT_CODE = -32000;

const CODES: Readonly<Record<Exclude<ImpossibleReason, "upfront-cost">, number>> = {
  "intrinsic-gas": -32003,
  "fee-below-base-fee": -32009,
  "priority-above-max": -32000,
  "init-code": -32000,
  type: -32602,
  "blob-gas": -32000,
  "blob-fee-below-base-fee": -32009,
};

/**
 * How errors are formatted: in which mode, and whether details follow the message after a colon.
 */
export interface ErrorStyle {
  readonly compatibility: Compatibility;
  readonly isDetailed: boolean;
}

/** The error for a call that did not succeed. */
export function failureOf(
  { outcome, halt, haltDetail, returnValue }: EvmResult,
  { compatibility, isDetailed }: ErrorStyle,
): RpcError {
  const { revert, explainsFailures } = differencesOf(compatibility);
  if (outcome !== "reverted") {
    const detail = halt === undefined ? "" : describeHalt(halt, { isDetailed, explainsFailures });
    const more = haltDetail === undefined || compatibility.hasBareErrors ? "" : `: ${haltDetail}`;
    return new RpcError(HALT_CODE, `${HALTED}${detail}${more}`);
  }
  const data = toHex(returnValue);
  const reason = revertReason(data, compatibility);
  const message = reason === undefined ? revert.text : `${revert.text}: ${reason}`;
  return new RpcError(revert.code, message, data);
}

/** Whether an error is that of a halted call: out of gas, invalid instruction. */
export function isHalt({ rpcCode, message }: RpcError): boolean {
  return rpcCode === HALT_CODE && message.startsWith(HALTED);
}

/**
 * Why a contract reverted, as far as callers of the mode expect it; `undefined` if it gave no
 * reason.
 */
export function revertReason(data: string, compatibility: Compatibility): string | undefined {
  const { explainsFailures } = differencesOf(compatibility);
  return explainsFailures ? describeRevert(data) : findRevertReason(data);
}

function describeHalt(
  halt: string,
  { isDetailed, explainsFailures }: { isDetailed: boolean; explainsFailures: boolean },
): string {
  if (explainsFailures) return `: ${halt} (${haltText(halt)})`;
  return isDetailed ? `: ${halt}` : "";
}

/** The error for a call that could not start; unexpected errors are returned unchanged. */
export function toRpcError(error: unknown, { compatibility, isDetailed }: ErrorStyle): unknown {
  if (error instanceof AccountOverflow) return new RpcError(-32000, error.message);
  if (error instanceof OverrideProblem) return new RpcError(-32000, error.message);
  if (error instanceof RunTooLarge)
    return new RpcError(-32000, `execution aborted: ${error.message}`);
  if (error instanceof RunTooLong) {
    return new RpcError(-32000, `execution aborted (timeout = ${error.maxMs / 1000}s)`);
  }
  if (!(error instanceof ImpossibleCall)) return error;
  const { reason, message, detail } = error;
  const { code, text } =
    reason === "upfront-cost"
      ? differencesOf(compatibility).missingFunds
      : { code: CODES[reason], text: message };
  return new RpcError(code, isDetailed ? `${text}: ${detail}` : text);
}

/** The error for a sender with insufficient funds. */
export function missingFunds(compatibility: Compatibility): RpcError {
  const { code, text } = differencesOf(compatibility).missingFunds;
  return new RpcError(code, text);
}
