import type { BlockReader } from "../chain/block-reader.js";
import type { EvmResult } from "../evm/evm.js";
import { type CallSettings, simulateCall } from "./call.js";
import type { CallRequest } from "./call-request.js";
import { type Estimate, type EstimateSettings, estimateGas } from "./estimate-gas.js";

/** What a call runs on; everything in it can be handed to another thread. */
export type CallQuery = Omit<CallSettings, "state" | "trace">;

/** What an estimate is made on, likewise. */
export type EstimateQuery = CallQuery & Pick<EstimateSettings, "tolerance">;

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

/** Who asks: a connection is served in turn with others, and may leave. */
export interface QueryClient {
  readonly connection?: object | undefined;
  readonly closed: AbortSignal;
}

/**
 * Questions to the chain that may take long.
 *
 * They run on threads where there are some, with the deadline of calls; what goes in and comes out can be
 * handed from thread to thread.
 */
export interface Query {
  /** Runs a call on the state after a block; rejects with `ImpossibleCall` or `RunTooLong`. */
  call(request: CallRequest, settings: CallQuery, client: QueryClient): Promise<EvmResult>;
  /** Finds how much gas a call needs. */
  estimateGas(
    request: CallRequest,
    settings: EstimateQuery,
    client: QueryClient,
  ): Promise<Estimate>;
}
