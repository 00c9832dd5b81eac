import type { Hash } from "@plinth/core";
import type { BadBlock } from "@plinth/core/chain";
import { LruMap } from "@plinth/core/primitives";

const MAX_KEPT = 100;

/** The blocks that were refused last, for those who want to know why a chain stands still. */
export class BadBlocks {
  readonly #byHash = new LruMap<Hash, BadBlock>({ max: MAX_KEPT });

  add(bad: BadBlock): void {
    this.#byHash.set(bad.block.header.hash, bad);
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
