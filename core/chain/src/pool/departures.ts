import type { Hash } from "@plinth/core";
import type { Departure } from "@plinth/core/pool";
import { LruMap } from "@plinth/core/primitives";

/** Why transactions left the pool; bounded, the oldest are evicted first. */
export class Departures {
  readonly #byHash: LruMap<Hash, Departure & { readonly number: number }>;
  #forgotten: number | undefined;

  constructor(max: number) {
    this.#byHash = new LruMap({
      max,
      evicted: ({ number }) => {
        this.#forgotten = number;
      },
    });
  }

  find(hash: Hash): Departure | undefined {
    return this.#byHash.peek(hash);
  }

  /** Remembers why one left; returns the number of the evicted one. */
  add(hash: Hash, departure: Departure, number: number): number | undefined {
    this.#forgotten = this.#byHash.peek(hash)?.number;
    this.#byHash.set(hash, { ...departure, number });
    return this.#forgotten;
  }
}
