import type { Address, Compatibility, StateReader } from "@plinth/core";
import type { EvmResult, Tracer } from "@plinth/core/evm";
import type { TracePlace } from "@plinth/kit-trace";

/** What a tracer may know before the run begins. */
export interface TracedRun {
  /** As it is before the run, and changes with it. */
  readonly state: StateReader;
  readonly sender: Address;
  /** A contract is created when left out. */
  readonly to: Address | undefined;
  readonly gasLimit: bigint;
  /** Where fees go. */
  readonly feeRecipient: Address;
  readonly compatibility: Compatibility;
  /** Of a transaction of the chain. */
  readonly place?: TracePlace;
}

/** A tracer with an answer of its own, as JSON. */
export interface NamedTracer {
  readonly tracer: Tracer;
  /** Asked once, when the run has ended. */
  answer(result: EvmResult): unknown;
}
