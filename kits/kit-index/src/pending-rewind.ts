import type { BlockReader, CommitEvent } from "@plinth/core";

/**
 * Blocks that are leaving the canonical chain, from before the commit that removes them until the head has moved.
 *
 * `chain.headChanged` does not mark that moment: the announcement of an earlier block may come in between.
 */
export class PendingRewind {
  readonly #chain: Pick<BlockReader, "head" | "findHeader">;
  #first: bigint | undefined;
  #isCommitted = false;

  constructor(chain: Pick<BlockReader, "head" | "findHeader">) {
    this.#chain = chain;
  }

  /** Called before a batch is written; its removed blocks come highest first. */
  begin({ removed, batch }: Pick<CommitEvent, "removed" | "batch">): void {
    // Commits run one at a time: the previous one has moved the head or failed.
    this.#first = removed.at(-1)?.header.number;
    this.#isCommitted = false;
    batch.onCommitted(() => {
      this.#isCommitted = true;
    });
  }

  /** First block that is leaving; `undefined` if none is. */
  get first(): bigint | undefined {
    if (this.#first !== undefined && this.#isCommitted && this.#isHeadCanonical()) {
      this.#first = undefined;
    }
    return this.#first;
  }

  /** A rewind removes the old head, so `head()` returns a removed block until it has moved. */
  #isHeadCanonical(): boolean {
    const { number, hash } = this.#chain.head();
    return this.#chain.findHeader(number)?.hash === hash;
  }
}
