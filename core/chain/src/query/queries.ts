import type { BlockReader } from "@plinth/core";
import type { EvmResult } from "@plinth/core/evm";
import type { CallQuery, CallRequest, Estimate, EstimateQuery } from "@plinth/core/query";
import { simulateCall } from "./call.js";
import { estimateGas } from "./estimate-gas.js";

/** Chain queries that may take long, by name; threads find them here. */
export const coreQueries = {
  call: (blocks: BlockReader, request: CallRequest, settings: CallQuery): Promise<EvmResult> =>
    simulateCall(blocks, request, settings),
  estimateGas: (
    blocks: BlockReader,
    request: CallRequest,
    settings: EstimateQuery,
  ): Promise<Estimate> => estimateGas(blocks, request, settings),
} as const;
