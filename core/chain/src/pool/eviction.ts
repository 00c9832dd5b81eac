import { Heap } from "@plinth/core/primitives";
import type { PooledTransaction } from "./pooled-transaction.js";
import type { SenderQueue } from "./sender-queue.js";

type Queue = SenderQueue<PooledTransaction>;

/** A transaction with the queue it was in when it was recorded. */
interface Place {
  readonly pooled: PooledTransaction;
  readonly queue: Queue;
}

/** The inputs of the eviction order. */
interface EvictedPool {
  /** Number of transactions. */
  size(): number;
  /** Whether a transaction is set aside, or follows one of its sender that is. */
  isHeldUp(pooled: PooledTransaction): boolean;
}

/** Below this many entries nothing is compacted. */
const MIN_ENTRIES = 1024;

/**
 * The eviction order of a full pool.
 *
 * First those that are set aside or follow such a one, which could occupy the pool forever without
 * ever paying; then those that wait for a missing nonce, then the last executable one of a sender,
 * so that no gap arises; of each kind those without priority first, and of them the lowest price.
 * Entries of transactions that have moved stay until they come up or become too many.
 */
export class EvictionOrder {
  readonly #pool: EvictedPool;
  #heldUp = new Heap<Place>(leavesBefore);
  #future = new Heap<Place>(leavesBefore);
  #ready = new Heap<Place>(leavesBefore);
  #entries = 0;

  constructor(pool: EvictedPool) {
    this.#pool = pool;
  }

  /** Records the last executable one of a queue, and the given ones that cannot run. */
  note(queue: Queue, given: readonly PooledTransaction[]): void {
    for (const pooled of given) {
      if (!queue.isReady(pooled.nonce)) this.#add(this.#future, { pooled, queue });
      else if (this.#pool.isHeldUp(pooled)) this.#add(this.#heldUp, { pooled, queue });
    }
    const { lastReady } = queue;
    if (lastReady !== undefined) this.#add(this.#ready, { pooled: lastReady, queue });
  }

  /** Whether there are many more entries than transactions, so that they should be rebuilt. */
  get isUntidy(): boolean {
    return this.#entries > MIN_ENTRIES + 4 * this.#pool.size();
  }

  /** Forgets everything. */
  clear(): void {
    this.#heldUp = new Heap(leavesBefore);
    this.#future = new Heap(leavesBefore);
    this.#ready = new Heap(leavesBefore);
    this.#entries = 0;
  }

  /** The first that is set aside or follows such a one. */
  nextHeldUp(): PooledTransaction | undefined {
    return this.#next(
      this.#heldUp,
      ({ pooled, queue }) => queue.isReady(pooled.nonce) && this.#pool.isHeldUp(pooled),
    );
  }

  /** The first that waits for a missing nonce. */
  nextFuture(): PooledTransaction | undefined {
    return this.#next(this.#future, ({ pooled, queue }) => !queue.isReady(pooled.nonce));
  }

  /** The first that is executable. */
  nextReady(): PooledTransaction | undefined {
    return this.#next(this.#ready, ({ pooled, queue }) => queue.lastReady === pooled);
  }

  #add(heap: Heap<Place>, place: Place): void {
    heap.push(place);
    this.#entries += 1;
  }

  /** Takes the first entry that is still valid. */
  #next(heap: Heap<Place>, isStill: (place: Place) => boolean): PooledTransaction | undefined {
    for (let place = heap.pop(); place !== undefined; place = heap.pop()) {
      this.#entries -= 1;
      const { pooled, queue } = place;
      if (queue.find(pooled.nonce) === pooled && isStill(place)) return pooled;
    }
    return undefined;
  }
}

function leavesBefore({ pooled: a }: Place, { pooled: b }: Place): boolean {
  if (a.hasPriority !== b.hasPriority) return b.hasPriority;
  if (a.maxFeePerGas !== b.maxFeePerGas) return a.maxFeePerGas < b.maxFeePerGas;
  return a.order > b.order;
}
