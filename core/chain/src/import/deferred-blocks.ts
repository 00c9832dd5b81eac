import type { Clock, Hash, SealedBlock } from "@plinth/core";
import { keccakHeader } from "@plinth/core";
import { blockSize } from "@plinth/core/blocks";
import type { ImportOrigin } from "@plinth/core/chain";

/** A block that cannot be validated yet. */
export interface DeferredBlock {
  readonly block: SealedBlock;
  readonly origin: ImportOrigin;
}

/** Enough for the blocks between a head and a peer that announces faster than they are imported. */
const MAX_DEFERRED = 64;
/** Maximum total size: only the size of these blocks has been verified. */
const MAX_BYTES = 64 * 2 ** 20;
/** Maximum clock difference of honest peers. */
const MAX_WAIT_MS = 60_000;

interface Kept extends DeferredBlock {
  readonly bytes: number;
  readonly stop: () => void;
}

/**
 * Blocks that wait for their parent or for their time, and are then imported again.
 *
 * Bounded: the oldest is evicted. Dropped blocks arrive again with the next synchronization.
 */
export class DeferredBlocks {
  /**
   * By the hash of the whole header: the block hash may omit seals, and a block with invalid seals
   * must not replace another.
   */
  readonly #byHash = new Map<Hash, Kept>();
  readonly #clock: Pick<Clock, "now" | "after">;
  readonly #retry: (deferred: DeferredBlock) => void;
  #bytes = 0;
  #isClosed = false;

  constructor(clock: Pick<Clock, "now" | "after">, retry: (deferred: DeferredBlock) => void) {
    this.#clock = clock;
    this.#retry = retry;
  }

  get size(): number {
    return this.#byHash.size;
  }

  /** Stores a block until its parent is imported. */
  awaitParent(deferred: DeferredBlock): void {
    this.#add(deferred, () => {});
  }

  /** Stores a block until its time; one too far in the future is dropped. */
  awaitTime(deferred: DeferredBlock, atMs: number): void {
    const waitMs = Math.max(0, atMs - this.#clock.now());
    if (waitMs > MAX_WAIT_MS) return;
    const key = keccakHeader(deferred.block.header);
    const stop = this.#clock.after(waitMs, () => this.#release(key));
    this.#add(deferred, stop);
  }

  /** Imports the blocks that waited for this one. */
  imported({ header: { hash } }: SealedBlock): void {
    for (const [key, { block }] of [...this.#byHash]) {
      if (block.header.parentHash === hash) this.#release(key);
    }
  }

  /** Drops all of them; later ones are not stored. */
  close(): void {
    this.#isClosed = true;
    for (const key of [...this.#byHash.keys()]) this.#remove(key);
  }

  #add(deferred: DeferredBlock, stop: () => void): void {
    const key = keccakHeader(deferred.block.header);
    const bytes = blockSize(deferred.block);
    this.#remove(key);
    this.#byHash.set(key, { ...deferred, bytes, stop });
    this.#bytes += bytes;
    for (const oldest of this.#byHash.keys()) {
      const isFull = this.#byHash.size > MAX_DEFERRED || this.#bytes > MAX_BYTES;
      if (!isFull && !this.#isClosed) return;
      this.#remove(oldest);
    }
  }

  #release(key: Hash): void {
    const deferred = this.#remove(key);
    if (deferred !== undefined) this.#retry(deferred);
  }

  #remove(key: Hash): Kept | undefined {
    const kept = this.#byHash.get(key);
    if (kept === undefined) return undefined;
    this.#byHash.delete(key);
    this.#bytes -= kept.bytes;
    kept.stop();
    return kept;
  }
}
