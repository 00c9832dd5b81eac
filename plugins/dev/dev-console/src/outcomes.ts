import { toHex } from "@plinth/core";
import type { EvmResult } from "@plinth/core/evm";
import { describeRevert, haltText } from "@plinth/kit-rpc";

/** Why a transaction failed, with the message of its contract if it has one. */
export function describeFailure(
  { outcome, halt, haltDetail, returnValue }: EvmResult,
  describeError: (data: Uint8Array) => string | undefined = () => undefined,
): string {
  if (outcome === "halted") {
    const detail = haltDetail === undefined ? "" : `: ${haltDetail}`;
    return `failed: ${halt === undefined ? "the EVM gave up" : haltText(halt)}${detail}`;
  }
  const data = toHex(returnValue);
  if (data === "0x") return "reverted without a reason";
  const reason = describeError(returnValue) ?? describeRevert(data);
  return `reverted: ${reason ?? data}`;
}
