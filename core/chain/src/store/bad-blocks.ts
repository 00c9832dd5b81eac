import type { Hash } from "@plinth/core";
import type { BadBlock } from "@plinth/core/chain";
import { LruMap } from "@plinth/core/primitives";

const MAX_KEPT = 100;

/** The most recently rejected blocks, to diagnose a stalled chain. */
export class BadBlocks {
  readonly #byHash = new LruMap<Hash, BadBlock>({ max: MAX_KEPT });

  add(bad: BadBlock): void {
    this.#byHash.set(bad.block.header.hash, bad);
  }

  /** Forgets all of them. */
  clear(): void {
    this.#byHash.clear();
  }

  /** Oldest first. */
  all(): readonly BadBlock[] {
    return [...this.#byHash.values()];
  }
}
