import type { Address } from "@plinth/core";
import type { Steps } from "@plinth/core/async";

/**
 * Computes the return value of a precompile, in steps of a few milliseconds.
 *
 * Others may run between two steps, and use the same precompile: the content of WebAssembly memory
 * is lost then. Throws `InvalidInput` if the precompile fails.
 */
export type Compute = (data: Uint8Array) => Steps<Uint8Array>;

/** A precompiled contract under the rules of one fork. */
export interface PrecompiledContract {
  readonly address: Address;
  /** The gas of a call; allocates nothing in proportion to lengths that the input declares. */
  gas(data: Uint8Array): bigint;
  /** Loads the implementation, including WebAssembly if it uses any; once per thread. */
  load(): Promise<Compute>;
}

/** The input is not valid for the precompile: the call fails and consumes all of its gas. */
export class InvalidInput extends Error {}

/** A precompile with a single step. */
export function inOneStep(compute: (data: Uint8Array) => Uint8Array): Compute {
  // biome-ignore lint/correctness/useYield: there is nothing to wait for.
  return function* (data) {
    return compute(data);
  };
}
