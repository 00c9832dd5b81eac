import type { Address, Compatibility, StateReader } from "@plinth/core";
import type { EvmResult, Tracer } from "@plinth/core/evm";
import type { TracePlace } from "@plinth/kit-trace";

/** Context of a tracer. */
export interface TracedRun {
  /** The state before the execution; it changes during it. */
  readonly state: StateReader;
  readonly sender: Address;
  /** Creates a contract if omitted. */
  readonly to: Address | undefined;
  readonly gasLimit: bigint;
  /** The fee recipient. */
  readonly feeRecipient: Address;
  readonly compatibility: Compatibility;
  /** Of a transaction of the chain. */
  readonly place?: TracePlace;
}

/** A tracer with its own JSON result. */
export interface NamedTracer {
  readonly tracer: Tracer;
  /** Called once, after the execution. */
  traceOf(result: EvmResult): unknown;
}
