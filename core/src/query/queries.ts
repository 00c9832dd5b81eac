import type { BlockReader } from "../chain/block-reader.js";
import type { EvmResult } from "../evm/evm.js";
import { simulateCall } from "./call.js";
import type { CallRequest } from "./call-request.js";
import { estimateGas } from "./estimate-gas.js";
import type {
  CallQuery,
  CallSettings,
  Estimate,
  EstimateQuery,
  EstimateSettings,
  QueryClient,
} from "./query.js";

/** Questions to the chain that may take long, each by its name; threads find them here. */
export const coreQueries = {
  call: (blocks: BlockReader, request: CallRequest, settings: CallQuery): Promise<EvmResult> =>
    simulateCall(blocks, request, settings),
  estimateGas: (
    blocks: BlockReader,
    request: CallRequest,
    settings: EstimateQuery,
  ): Promise<Estimate> => estimateGas(blocks, request, settings),
} as const;
