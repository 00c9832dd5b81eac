import type { Address } from "@plinth/core";

/** Throws when the run must stop; called at least about every 20 ms of work. */
export type Interrupt = () => void;

/**
 * Computes the return value of a precompile.
 *
 * Throws `InvalidInput` when the precompile fails; what `interrupt` throws passes through unchanged.
 */
export type Compute = (data: Uint8Array, interrupt: Interrupt) => Uint8Array;

/** A precompiled contract under the rules of one fork. */
export interface PrecompiledContract {
  readonly address: Address;
  /** What a call costs; allocates nothing in proportion to lengths that the input declares. */
  gas(data: Uint8Array): bigint;
  /** Loads the implementation, with WebAssembly where it uses any; once per thread. */
  load(): Promise<Compute>;
}

/** The input is not valid for the precompile: the call fails and consumes all of its gas. */
export class InvalidInput extends Error {}
