import type { Hash } from "@plinth/core";
import type { BadBlock } from "@plinth/core/chain";

const MAX_KEPT = 100;

/** The blocks that were refused last, for those who want to know why a chain stands still. */
export class BadBlocks {
  readonly #byHash = new Map<Hash, BadBlock>();

  add(bad: BadBlock): void {
    const { hash } = bad.block.header;
    this.#byHash.delete(hash);
    this.#byHash.set(hash, bad);
    const [oldest] = this.#byHash.keys();
    if (this.#byHash.size > MAX_KEPT && oldest !== undefined) this.#byHash.delete(oldest);
  }

  /** Forgets all of them. */
  clear(): void {
    this.#byHash.clear();
  }

  /** The oldest first. */
  all(): readonly BadBlock[] {
    return [...this.#byHash.values()];
  }
}
