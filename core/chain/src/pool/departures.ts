import type { Hash } from "@plinth/core";
import type { Departure } from "@plinth/core/pool";

/** Why transactions left, of as many as fit; the oldest are forgotten first. */
export class Departures {
  readonly #max: number;
  readonly #byHash = new Map<Hash, Departure & { readonly number: number }>();

  constructor(max: number) {
    this.#max = max;
  }

  find(hash: Hash): Departure | undefined {
    return this.#byHash.get(hash);
  }

  /** Remembers why one left; answers the number of the one that is forgotten for it. */
  add(hash: Hash, departure: Departure, number: number): number | undefined {
    const before = this.#byHash.get(hash);
    this.#byHash.delete(hash);
    this.#byHash.set(hash, { ...departure, number });
    if (before !== undefined) return before.number;
    if (this.#byHash.size <= this.#max) return undefined;
    const [oldest] = this.#byHash;
    if (oldest === undefined) return undefined;
    this.#byHash.delete(oldest[0]);
    return oldest[1].number;
  }
}
