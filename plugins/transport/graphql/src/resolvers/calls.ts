import { type Address, type Hex, hexToBytes, type SealedHeader } from "@plinth/core";
import type { CallRequest } from "@plinth/core/query";
import { differencesOf, failureOf, gasOfCall, gasOfTransaction, toRpcError } from "@plinth/kit-rpc";
import { FieldProblem } from "../answers/field-problem.js";
import type { ChainReader } from "../chain-reader.js";

/** A call as described in a query. */
export interface CallData {
  readonly from?: Address | null;
  readonly to?: Address | null;
  readonly gas?: Hex | null;
  readonly gasPrice?: Hex | null;
  readonly maxFeePerGas?: Hex | null;
  readonly maxPriorityFeePerGas?: Hex | null;
  readonly value?: Hex | null;
  readonly data?: Hex | null;
}

/** Share of the request budget that a simulation costs: enough for about two hundred. */
const SIMULATION_BYTES = 300_000;

/** Executes a call on the state after a block; null if that is not kept. */
export async function runCall(reader: ChainReader, header: SealedHeader, data: CallData) {
  const { compatibility, differences, settings, budget } = reader.context;
  budget.take(SIMULATION_BYTES);
  if (budget.end !== undefined || reader.findState(header) === undefined) return null;
  const request = requestOf(data);
  const gasLimit = gasOfCall({ wanted: request.gas, header, cap: settings.gasCap });
  try {
    const on = { header, gasLimit, rules: differencesOf(compatibility).calls };
    const result = await reader.context.query.call(request, on, reader.context.client);
    const { outcome, gasUsed, returnValue } = result;
    budget.take(2 * returnValue.length);
    const isSuccess = outcome === "success";
    const isHidden = !isSuccess && differences.hidesRevertData;
    return { status: isSuccess ? 1 : 0, gasUsed, data: isHidden ? new Uint8Array() : returnValue };
  } catch (error) {
    throw toRpcError(error, { compatibility, isDetailed: false });
  }
}

/** Estimates the gas of a call on the state after a block. */
export async function estimateGas(
  reader: ChainReader,
  header: SealedHeader,
  data: CallData,
): Promise<bigint> {
  const { blocks, compatibility, settings, budget } = reader.context;
  budget.take(SIMULATION_BYTES);
  if (budget.end !== undefined) return 0n;
  if (reader.findState(header) === undefined) {
    throw new FieldProblem(`the state after block ${header.number} is not kept`);
  }
  const style = { compatibility, isDetailed: true };
  try {
    const request = requestOf(data);
    const on = {
      header,
      gasLimit: gasOfTransaction(blocks, { wanted: request.gas, header, cap: settings.gasCap }),
      rules: differencesOf(compatibility).calls,
      tolerance: differencesOf(compatibility).estimatesExactly ? 0 : settings.estimateTolerance,
    };
    const found = await reader.context.query.estimateGas(request, on, reader.context.client);
    if (found.kind === "failed") throw failureOf(found.result, style);
    return found.gas;
  } catch (error) {
    throw toRpcError(error, style);
  }
}

function requestOf(call: CallData): CallRequest {
  return {
    from: call.from ?? undefined,
    to: call.to ?? undefined,
    gas: integerOf(call.gas),
    gasPrice: integerOf(call.gasPrice),
    maxFeePerGas: integerOf(call.maxFeePerGas),
    maxPriorityFeePerGas: integerOf(call.maxPriorityFeePerGas),
    value: integerOf(call.value) ?? 0n,
    data: hexToBytes(call.data ?? ""),
  };
}

function integerOf(text: Hex | null | undefined): bigint | undefined {
  return typeof text === "string" ? BigInt(text) : undefined;
}
