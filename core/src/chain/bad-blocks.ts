import type { SealedBlock } from "../blocks/block.js";
import type { Hash } from "../primitives/hex.js";
import type { BadBlock } from "./bad-block.js";
import type { InvalidBlock } from "./errors.js";

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
