import type { SealedHeader } from "../blocks/header.js";
import type { ScratchState } from "../chain/scratch-state.js";
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

/** What a call runs on, and how it is priced. */
export interface CallSettings {
  readonly header: SealedHeader;
  readonly gasLimit: bigint;
  readonly rules: CallRules;
  readonly stateOverrides?: StateOverrides | undefined;
  readonly blockOverrides?: BlockOverrides | undefined;
  readonly watch?: Pick<MessageWatch, "recordsAccess">;
  /** Goes on where another call left it; the state after the block when left out. */
  readonly state?: ScratchState;
  /** Makes a tracer when everything is ready, and names an EVM that others need not wait for. */
  readonly trace?: {
    readonly evm: Evm;
    createTracer(context: TraceContext): Tracer;
    /** How long it may take, where the tracer sets no limit itself. */
    readonly limits?: Pick<RunContext, "maxMs" | "yields">;
  };
}

/** What a tracer of a call may know before it begins. */
export interface TraceContext {
  readonly state: ScratchState;
  readonly block: BlockContext;
  readonly message: Message;
}

/** What an estimate is made on. */
export interface EstimateSettings extends Omit<CallSettings, "watch"> {
  /** How well the answer is to be known: 0.015 is 1.5 percent, 0 to the last gas. */
  readonly tolerance: number;
}

/** An estimate, or how the call failed with all the gas there is. */
export type Estimate =
  | { readonly kind: "enough"; readonly gas: bigint }
  | { readonly kind: "failed"; readonly result: EvmResult };

/** What a call runs on; everything in it can be handed to another thread. */
export type CallQuery = Omit<CallSettings, "state" | "trace">;

/** What an estimate is made on, likewise. */
export type EstimateQuery = CallQuery & Pick<EstimateSettings, "tolerance">;

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
