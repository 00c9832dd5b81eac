import type { Address, Hash } from "@plinth/core";
import { RejectedTransaction } from "@plinth/core";
import { Heap, LruMap } from "@plinth/core/primitives";
import { EvictionOrder } from "./eviction.js";
import type { PooledTransaction } from "./pooled-transaction.js";
import { findShortfall, type Prices, tipOf } from "./prices.js";
import { canReplace, type PriceBumps } from "./replacement.js";
import { SenderQueue } from "./sender-queue.js";

/** The limits of a pool, and its ordering. */
export interface PoolLimits {
  readonly maxTransactions: number;
  readonly maxBytes: number;
  /** Of them, transactions that wait for missing nonces. */
  readonly maxFutureBytes: number;
  /** Maximum distance of a nonce from the account's. */
  readonly maxNonceGap: number;
  readonly bumps: PriceBumps;
  /** The order among equal priorities: highest price or oldest first. */
  readonly first: "best-paid" | "oldest";
  /** Maximum number of transactions a block is chosen from. */
  readonly maxCandidates: number;
  /** Maximum number of blob transactions among them. */
  readonly maxBlobCandidates: number;
}

/** The sender of a transaction in the state. */
export interface SenderState {
  readonly accountNonce: bigint;
  /** It delegates to a contract (EIP-7702), which may spend its balance at any time. */
  readonly isDelegated: boolean;
}

/** A transaction that is not retried automatically, and why. */
export interface SetAside {
  readonly hash: Hash;
  readonly nonce: bigint;
  readonly message: string;
}

/** The effects of adding a transaction. */
export interface Placement {
  readonly replaced: PooledTransaction | undefined;
  readonly evicted: readonly PooledTransaction[];
}

type Queue = SenderQueue<PooledTransaction>;

/** A transaction evicted or replaced by another one. */
interface Left {
  readonly queue: Queue;
  readonly pooled: PooledTransaction;
  /** Why it was not retried, if it was set aside. */
  readonly setAside: SetAside | undefined;
}

/** The next transaction of one sender, and those that follow it. */
interface Head {
  readonly pooled: PooledTransaction;
  /** Its sender recently wasted the time of a block. */
  readonly isCostly: boolean;
  readonly tip: bigint;
  readonly rest: Iterator<PooledTransaction, undefined>;
}

/** Maximum number of senders remembered for wasting the time of blocks. */
const MAX_COSTLY = 4096;

/** Pending transactions, by sender and nonce. */
export class PoolIndex {
  readonly #limits: PoolLimits;
  readonly #queues = new Map<Address, Queue>();
  /** The queues with an executable transaction. */
  readonly #ready = new Map<Address, Queue>();
  readonly #byHash = new Map<Hash, PooledTransaction>();
  /** At most one per sender: those that follow it are not tried before it is gone. */
  readonly #setAside = new Map<Address, SetAside>();
  /**
   * Senders of transactions that were set aside, until one of theirs is mined.
   *
   * A transaction that is set aside has wasted the time of a block without paying for it. If the
   * next one of its sender were tried first again, one account could keep all others out of every
   * block.
   */
  readonly #costly = new LruMap<Address, true>({ max: MAX_COSTLY });
  readonly #leaving = new EvictionOrder({
    size: () => this.size,
    isHeldUp: (pooled) => this.findSetAside(pooled) !== undefined,
  });
  #bytes = 0;
  #futureBytes = 0;

  constructor(limits: PoolLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#byHash.size;
  }

  /** Approximate memory of all transactions. */
  get sizeBytes(): number {
    return this.#bytes;
  }

  find(hash: Hash): PooledTransaction | undefined {
    return this.#byHash.get(hash);
  }

  /** All transactions, in order of arrival. */
  all(): IterableIterator<PooledTransaction> {
    return this.#byHash.values();
  }

  senders(): IterableIterator<Address> {
    return this.#queues.keys();
  }

  /** The transactions of one sender; `undefined` if there are none. */
  queueOf(
    sender: Address,
  ): Pick<Queue, "nextNonce" | "isReady" | "find" | "all" | "ready"> | undefined {
    return this.#queues.get(sender);
  }

  /** Adds a transaction, or throws `RejectedTransaction`; returns the evicted ones. */
  place(pooled: PooledTransaction, sender: SenderState, baseFee: bigint | undefined): Placement {
    const { accountNonce, isDelegated } = sender;
    const queue = this.#queues.get(pooled.sender) ?? new SenderQueue(accountNonce);
    const replaced = queue.find(pooled.nonce);
    this.#verifyPlace(pooled, { accountNonce, isDelegated, queue, baseFee });
    const left: Left[] = [];
    if (replaced !== undefined) {
      left.push({ queue, pooled: replaced, setAside: this.#findOwn(replaced) });
    }
    this.#put(queue, pooled);
    const evicted: PooledTransaction[] = [];
    for (let victim = this.#findVictim(); victim !== undefined; victim = this.#findVictim()) {
      if (victim === pooled) {
        this.#remove(pooled);
        // Without it everything that was here before fits.
        for (const before of left) this.#restore(before);
        throw new RejectedTransaction("pool-full", "Transaction pool is full");
      }
      evicted.push(victim);
      const setAside = this.#findOwn(victim);
      left.push({ queue: this.#remove(victim), pooled: victim, setAside });
    }
    return { replaced, evicted };
  }

  /** Removes a transaction; returns it, or `undefined` if it is unknown. */
  remove(hash: Hash): PooledTransaction | undefined {
    const pooled = this.#byHash.get(hash);
    if (pooled !== undefined) this.#remove(pooled);
    return pooled;
  }

  /** Makes the transactions of a sender come after those of others. */
  putBehind(sender: Address): void {
    this.#costly.set(sender, true);
  }

  /** Excludes a transaction, and those of its sender that follow it, from blocks. */
  setAside({ sender, hash, nonce }: PooledTransaction, message: string): void {
    this.putBehind(sender);
    const before = this.#setAside.get(sender);
    if (before === undefined || nonce <= before.nonce) {
      this.#setAside.set(sender, { hash, nonce, message });
      const queue = this.#queues.get(sender);
      if (queue !== undefined) this.#leaving.note(queue, queue.all());
    }
  }

  /**
   * The transaction that excludes this one from blocks: itself, or an earlier one of its sender.
   */
  findSetAside({ sender, nonce }: Pick<PooledTransaction, "sender" | "nonce">) {
    const found = this.#setAside.get(sender);
    return found !== undefined && found.nonce <= nonce ? found : undefined;
  }

  /** Updates a sender's next nonce; returns the removed transactions with used nonces. */
  follow(sender: Address, accountNonce: bigint): readonly PooledTransaction[] {
    const queue = this.#queues.get(sender);
    if (queue === undefined || queue.accountNonce === accountNonce) return [];
    const isBack = accountNonce < queue.accountNonce;
    if (!isBack) this.#costly.delete(sender);
    const passed = this.#change(sender, queue, () => queue.follow(accountNonce));
    for (const pooled of passed) this.#forget(pooled);
    this.#leaving.note(queue, isBack ? queue.all() : []);
    return passed;
  }

  /** The first candidate of each sender; empty if a block is not worth building. */
  *firstCandidates(prices: Prices): Generator<PooledTransaction, undefined> {
    for (const queue of this.#ready.values()) {
      const first = queue.find(queue.accountNonce);
      if (first !== undefined && this.#canRun(first, prices)) yield first;
    }
    return undefined;
  }

  /**
   * The candidates for a block, each sender's in nonce order; those from senders of transactions
   * that were set aside come last.
   *
   * The consumer may call `next(false)`: then nothing more of that sender follows, since it could
   * not run without the skipped one. The pool may change during the iteration.
   */
  *candidates(prices: Prices): Generator<PooledTransaction, undefined, boolean | undefined> {
    const { maxCandidates, maxBlobCandidates, first } = this.#limits;
    const heads = new Heap<Head>(first === "best-paid" ? isBetterPaid : isOlder);
    const pushNext = (rest: Iterator<PooledTransaction, undefined>) => {
      const pooled = rest.next().value;
      // A sender's later transactions cannot run before one that is underpriced or set aside.
      if (pooled === undefined || !this.#canRun(pooled, prices)) return;
      const isCostly = this.#costly.has(pooled.sender);
      heads.push({ pooled, isCostly, tip: tipOf(pooled, prices.baseFee), rest });
    };
    for (const queue of this.#ready.values()) pushNext(queue.ready());
    let [left, blobsLeft] = [maxCandidates, maxBlobCandidates];
    for (let head = heads.pop(); head !== undefined && left > 0; head = heads.pop()) {
      const hasBlobs = head.pooled.transaction.type === 3;
      if (hasBlobs && blobsLeft === 0) continue;
      left -= 1;
      if (hasBlobs) blobsLeft -= 1;
      const isTaken = yield head.pooled;
      if (isTaken !== false) pushNext(head.rest);
    }
    return undefined;
  }

  #canRun(pooled: PooledTransaction, prices: Prices): boolean {
    return this.findSetAside(pooled) === undefined && findShortfall(pooled, prices) === undefined;
  }

  #forget(pooled: PooledTransaction): void {
    if (this.#findOwn(pooled) !== undefined) this.#setAside.delete(pooled.sender);
    this.#byHash.delete(pooled.hash);
  }

  /** Why this transaction itself is set aside; `undefined` if it is not. */
  #findOwn({ sender, hash }: PooledTransaction): SetAside | undefined {
    const found = this.#setAside.get(sender);
    return found?.hash === hash ? found : undefined;
  }

  #restore({ queue, pooled, setAside }: Left): void {
    this.#put(queue, pooled);
    if (setAside !== undefined) this.setAside(pooled, setAside.message);
  }

  #verifyPlace(
    pooled: PooledTransaction,
    place: SenderState & { readonly queue: Queue; readonly baseFee: bigint | undefined },
  ): void {
    const { maxNonceGap, bumps } = this.#limits;
    const { queue, accountNonce, isDelegated, baseFee } = place;
    const replaced = queue.find(pooled.nonce);
    if (pooled.nonce > accountNonce + BigInt(maxNonceGap)) {
      throw new RejectedTransaction(
        "nonce-too-far",
        "Transaction nonce is too distant from current sender nonce",
      );
    }
    const isOnly = replaced !== undefined || (queue.size === 0 && pooled.nonce === accountNonce);
    if (isDelegated && !isOnly) {
      throw new RejectedTransaction(
        "delegated-sender",
        "A delegated account may have one pending transaction, with its next nonce",
      );
    }
    if (replaced !== undefined && !canReplace(pooled, replaced, { bumps, baseFee })) {
      throw new RejectedTransaction(
        "replacement-underpriced",
        "Replacement transaction underpriced",
      );
    }
  }

  /** The next transaction to evict; `undefined` while everything fits. */
  #findVictim(): PooledTransaction | undefined {
    const { maxTransactions, maxBytes, maxFutureBytes } = this.#limits;
    if (this.#futureBytes > maxFutureBytes) return this.#leaving.nextFuture();
    if (this.size <= maxTransactions && this.#bytes <= maxBytes) return undefined;
    return this.#leaving.nextHeldUp() ?? this.#leaving.nextFuture() ?? this.#leaving.nextReady();
  }

  #put(queue: Queue, pooled: PooledTransaction): void {
    const old = queue.find(pooled.nonce);
    if (old !== undefined) this.#forget(old);
    this.#change(pooled.sender, queue, () => queue.put(pooled));
    this.#byHash.set(pooled.hash, pooled);
    this.#leaving.note(queue, [pooled]);
    if (this.#leaving.isUntidy) this.#tidy();
  }

  #remove(pooled: PooledTransaction): Queue {
    const { sender, nonce } = pooled;
    const queue = this.#queues.get(sender) ?? new SenderQueue<PooledTransaction>(nonce);
    const isInside = queue.isReady(nonce) && queue.lastReady !== pooled;
    this.#change(sender, queue, () => queue.remove(pooled));
    this.#forget(pooled);
    this.#leaving.note(queue, isInside ? queue.all() : []);
    return queue;
  }

  /** Changes a queue and updates the totals. */
  #change<T>(sender: Address, queue: Queue, change: () => T): T {
    const { sizeBytes, futureBytes } = queue;
    const result = change();
    this.#bytes += queue.sizeBytes - sizeBytes;
    this.#futureBytes += queue.futureBytes - futureBytes;
    if (queue.size > 0) this.#queues.set(sender, queue);
    else this.#queues.delete(sender);
    if (queue.readyCount > 0) this.#ready.set(sender, queue);
    else this.#ready.delete(sender);
    return result;
  }

  #tidy(): void {
    this.#leaving.clear();
    for (const queue of this.#queues.values()) this.#leaving.note(queue, queue.all());
  }
}

function isBetterPaid(a: Head, b: Head): boolean {
  if (a.isCostly !== b.isCostly) return b.isCostly;
  if (a.pooled.hasPriority !== b.pooled.hasPriority) return a.pooled.hasPriority;
  return a.tip === b.tip ? isOlder(a, b) : a.tip > b.tip;
}

function isOlder(a: Head, b: Head): boolean {
  if (a.isCostly !== b.isCostly) return b.isCostly;
  if (a.pooled.hasPriority !== b.pooled.hasPriority) return a.pooled.hasPriority;
  return a.pooled.order < b.pooled.order;
}
