import type { Table, WriteBatch } from "@plinth/core/storage";
import { TABLES } from "@plinth/core/storage";
import { blockKey, numberOf } from "./keys.js";

const KEY = Buffer.from("removals");

/** A moment between two removals of blocks from the canonical chain. */
export interface RemovalMark {
  readonly announced: number;
  readonly stored: number;
}

/**
 * Counts the commits that removed blocks from the canonical chain.
 *
 * A reader compares the count after each value it read: if it is the same, the value is of the chain that it started with.
 * Blocks that only become canonical are not counted: `locate` reads again.
 */
export class Removals {
  readonly #table: Table;
  readonly #isReader: boolean;
  /** Increased before and after each commit, so that the database is read only if there may be something new. */
  #announced = 0;
  /** Set until this thread learns that a commit was written. */
  #isWriting = false;

  constructor(chain: Table, { isReader }: { readonly isReader: boolean }) {
    this.#table = chain;
    this.#isReader = isReader;
  }

  /** Whether this thread is writing a removal: the database may have it, or not yet. */
  get isWriting(): boolean {
    return this.#isWriting;
  }

  /** The mark of this moment. */
  mark(): RemovalMark {
    const announced = this.#announced;
    return { announced, stored: this.#stored() };
  }

  /** Whether blocks were removed after a mark. */
  hasChangedSince({ announced, stored }: RemovalMark): boolean {
    const mayDiffer = this.#isReader || this.#isWriting || announced !== this.#announced;
    return mayDiffer && stored !== this.#stored();
  }

  /** Adds a removal to the batch that makes it; call the returned function after the batch is written. */
  announce(batch: Pick<WriteBatch, "put">): () => void {
    this.#announced += 1;
    this.#isWriting = true;
    batch.put(TABLES.chain, KEY, blockKey(this.#stored() + 1));
    return () => {
      this.#announced += 1;
      this.#isWriting = false;
    };
  }

  #stored(): number {
    const bytes = this.#table.getSync(KEY);
    return bytes === undefined ? 0 : numberOf(bytes);
  }
}
