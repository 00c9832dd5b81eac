import type { Hash } from "@plinth/core";
import type { Departure } from "@plinth/core/pool";
import { LruMap } from "@plinth/core/primitives";

/** Why transactions left, of as many as fit; the oldest are forgotten first. */
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

  /** Remembers why one left; answers the number of the one that is forgotten for it. */
  add(hash: Hash, departure: Departure, number: number): number | undefined {
    this.#forgotten = this.#byHash.peek(hash)?.number;
    this.#byHash.set(hash, { ...departure, number });
    return this.#forgotten;
  }
}
