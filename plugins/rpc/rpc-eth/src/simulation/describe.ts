import { type Compatibility, toHex, toQuantity } from "@plinth/core";
import type { EvmResult } from "@plinth/core/evm";
import { blockObject, logObject, revertReason } from "@plinth/kit-rpc";
import type { SimulatedResult } from "./simulate-blocks.js";

/** A simulated block in its RPC form; it has no total difficulty. */
export function describeSimulated(
  { block, outcomes }: SimulatedResult,
  { verbose, compatibility }: { readonly verbose: boolean; readonly compatibility: Compatibility },
): object {
  const { header, body } = block;
  const { totalDifficulty: _, ...rest } = {
    totalDifficulty: undefined,
    ...blockObject(block, { totalDifficulty: 0n, verbose, compatibility }),
  };
  const calls = outcomes.map(({ result, logs }, transactionIndex) => ({
    // Revert data is in the error.
    returnData: result.outcome === "success" ? toHex(result.returnValue) : "0x",
    logs: logs.map(({ index: logIndex, ...log }) => {
      const transactionHash = body.transactions[transactionIndex]?.hash ?? "0x";
      const place = { transactionHash, transactionIndex, logIndex, isRemoved: false };
      return logObject({ log, header, ...place }, compatibility);
    }),
    gasUsed: toQuantity(result.gasUsed),
    maxUsedGas: toQuantity(result.gasBeforeRefund ?? result.gasUsed),
    status: result.outcome === "success" ? "0x1" : "0x0",
    ...failureOf(result, compatibility),
  }));
  return { ...rest, calls };
}

function failureOf({ outcome, halt, returnValue }: EvmResult, compatibility: Compatibility) {
  if (outcome === "success") return {};
  if (outcome === "halted") {
    return { error: { code: -32015, message: `vm execution error: ${halt ?? "halted"}` } };
  }
  const data = toHex(returnValue);
  const reason = revertReason(data, compatibility);
  const message = reason === undefined ? "execution reverted" : `execution reverted: ${reason}`;
  return { error: { code: 3, message, data } };
}
