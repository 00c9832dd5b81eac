import type { SealedHeader } from "../blocks/header.js";
import type { ScratchState } from "../chain/state/scratch-state.js";
import type {
  BlockContext,
  Evm,
  EvmResult,
  Message,
  MessageWatch,
  RunContext,
} from "../evm/evm.js";
import type { Tracer } from "../evm/tracer.js";
import type { CallRequest, CallRules } from "./call-request.js";
import type { BlockOverrides, StateOverrides } from "./overrides.js";

/** The environment of a call, and how it is priced. */
export interface CallSettings {
  readonly header: SealedHeader;
  readonly gasLimit: bigint;
  readonly rules: CallRules;
  readonly stateOverrides?: StateOverrides | undefined;
  readonly blockOverrides?: BlockOverrides | undefined;
  readonly watch?: Pick<MessageWatch, "recordsAccess">;
  /** Continues from the state of another call; by default the state after the block. */
  readonly state?: ScratchState;
  /** Creates a tracer when everything is ready, and names a dedicated EVM. */
  readonly trace?: {
    readonly evm: Evm;
    createTracer(context: TraceContext): Tracer;
    /** Time limit, if the tracer sets none itself. */
    readonly limits?: Pick<RunContext, "maxMs" | "yields">;
  };
}

/** What a tracer of a call may know before it starts. */
export interface TraceContext {
  readonly state: ScratchState;
  readonly block: BlockContext;
  readonly message: Message;
}

/** The environment of an estimate. */
export interface EstimateSettings extends Omit<CallSettings, "watch"> {
  /** The tolerance of the result: 0.015 is 1.5 percent, 0 is exact. */
  readonly tolerance: number;
}

/** An estimate, or how the call failed with all available gas. */
export type Estimate =
  | { readonly kind: "enough"; readonly gas: bigint }
  | { readonly kind: "failed"; readonly result: EvmResult };

/** The environment of a call; all of it can be transferred to another thread. */
export type CallQuery = Omit<CallSettings, "state" | "trace">;

/** The environment of an estimate, likewise. */
export type EstimateQuery = CallQuery & Pick<EstimateSettings, "tolerance">;

/** The caller: connections are served in turn, and may be closed. */
export interface QueryClient {
  readonly connection?: object | undefined;
  readonly closed: AbortSignal;
}

/**
 * Chain queries that may take long.
 *
 * They run on worker threads if there are any, with the deadline of calls; their input and output
 * are transferable between threads.
 */
export interface Query {
  /** Runs a call on the state after a block; rejects with `ImpossibleCall` or `RunTooLong`. */
  call(request: CallRequest, settings: CallQuery, client: QueryClient): Promise<EvmResult>;
  /** Estimates the gas of a call. */
  estimateGas(
    request: CallRequest,
    settings: EstimateQuery,
    client: QueryClient,
  ): Promise<Estimate>;
}
