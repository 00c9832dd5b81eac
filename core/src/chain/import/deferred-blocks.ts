import type { SealedBlock } from "../../blocks/block.js";
import type { Clock } from "../../kernel/clock.js";
import type { Hash } from "../../primitives/hex.js";
import type { ImportOrigin } from "./import-queue.js";

/** A block that cannot be judged yet. */
export interface DeferredBlock {
  readonly block: SealedBlock;
  readonly origin: ImportOrigin;
}

/** Enough for the blocks between a head and a peer that announces faster than it is imported. */
const MAX_DEFERRED = 64;
/** Clocks of honest peers are not further apart. */
const MAX_WAIT_MS = 60_000;

/**
 * Blocks that wait for their parent or for their time, and are imported again then.
 *
 * Bounded: the oldest makes room. What is dropped comes again with the next synchronisation.
 */
export class DeferredBlocks {
  readonly #byHash = new Map<Hash, DeferredBlock & { readonly stop: () => void }>();
  readonly #clock: Pick<Clock, "now" | "after">;
  readonly #retry: (deferred: DeferredBlock) => void;

  constructor(clock: Pick<Clock, "now" | "after">, retry: (deferred: DeferredBlock) => void) {
    this.#clock = clock;
    this.#retry = retry;
  }

  get size(): number {
    return this.#byHash.size;
  }

  /** Keeps a block until its parent is imported. */
  awaitParent(deferred: DeferredBlock): void {
    this.#add(deferred, () => {});
  }

  /** Keeps a block until a moment; one that is too far away is dropped. */
  awaitTime(deferred: DeferredBlock, atMs: number): void {
    const waitMs = Math.max(0, atMs - this.#clock.now());
    if (waitMs > MAX_WAIT_MS) return;
    const { hash } = deferred.block.header;
    this.#add(
      deferred,
      this.#clock.after(waitMs, () => this.#release(hash)),
    );
  }

  /** Imports the blocks again that waited for this one. */
  imported({ header: { hash } }: SealedBlock): void {
    for (const { block } of [...this.#byHash.values()]) {
      if (block.header.parentHash === hash) this.#release(block.header.hash);
    }
  }

  /** Forgets all of them. */
  clear(): void {
    for (const { stop } of this.#byHash.values()) stop();
    this.#byHash.clear();
  }

  #add(deferred: DeferredBlock, stop: () => void): void {
    const { hash } = deferred.block.header;
    this.#byHash.get(hash)?.stop();
    this.#byHash.delete(hash);
    this.#byHash.set(hash, { ...deferred, stop });
    const [oldest] = this.#byHash;
    if (this.#byHash.size <= MAX_DEFERRED || oldest === undefined) return;
    oldest[1].stop();
    this.#byHash.delete(oldest[0]);
  }

  #release(hash: Hash): void {
    const deferred = this.#byHash.get(hash);
    if (deferred === undefined) return;
    this.#byHash.delete(hash);
    deferred.stop();
    this.#retry(deferred);
  }
}
