import type { Transaction } from "../blocks/transaction.js";
import type { StateReader } from "../evm/world-state.js";
import type { Address, Hash } from "../primitives/hex.js";
import { type AdmissionRules, verifyAdmission } from "./admission.js";
import { RejectedTransaction } from "./errors.js";
import { Heap } from "./heap.js";
import { type Priced, SenderQueue } from "./sender-queue.js";

/** A transaction in the pool: what it pays, whatever its type. */
export interface PooledTransaction extends Priced {
  readonly transaction: Transaction;
  readonly sender: Address;
}

/** How much a pool holds. */
export interface PoolLimits {
  readonly maxTransactions: number;
  /** How far a nonce may be ahead of the account. */
  readonly maxNonceGap: number;
  readonly priceBumpPercent: number;
}

/** The next transaction of one sender, and what follows it. */
interface Head {
  readonly pooled: PooledTransaction;
  readonly tip: bigint;
  readonly place: number;
  readonly rest: Iterator<PooledTransaction, undefined>;
}

/** Transactions that wait for a block, by sender and nonce. */
export class TransactionPool {
  readonly #limits: PoolLimits;
  readonly #queues = new Map<Address, SenderQueue<PooledTransaction>>();
  readonly #byHash = new Map<Hash, PooledTransaction>();

  constructor(limits: PoolLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#byHash.size;
  }

  /** Takes a transaction, or throws `RejectedTransaction`; answers the one it replaced. */
  add(
    transaction: Transaction,
    state: StateReader,
    rules: AdmissionRules,
  ): Transaction | undefined {
    if (this.#byHash.has(transaction.hash)) {
      throw new RejectedTransaction("known", "Known transaction");
    }
    verifyAdmission(transaction, state, { ...rules, maxNonceGap: this.#limits.maxNonceGap });
    const pooled = toPooled(transaction);
    const queue = this.#queues.get(pooled.sender) ?? new SenderQueue(this.#limits.priceBumpPercent);
    if (!queue.has(pooled.nonce) && this.size >= this.#limits.maxTransactions) {
      throw new RejectedTransaction("pool-full", "Transaction pool is full");
    }
    const placement = queue.offer(pooled);
    if (placement.kind === "underpriced") {
      throw new RejectedTransaction(
        "replacement-underpriced",
        "Replacement transaction underpriced",
      );
    }
    this.#queues.set(pooled.sender, queue);
    this.#byHash.set(pooled.hash, pooled);
    if (placement.kind !== "replaced") return undefined;
    this.#byHash.delete(placement.old.hash);
    return placement.old.transaction;
  }

  /** A transaction by its hash. */
  find(hash: Hash): Transaction | undefined {
    return this.#byHash.get(hash)?.transaction;
  }

  /** Every transaction, in no order. */
  all(): readonly Transaction[] {
    return [...this.#byHash.values()].map(({ transaction }) => transaction);
  }

  /** The nonce that a sender's next transaction should have. */
  nextNonce(sender: Address, state: StateReader): bigint {
    const nonce = state.findAccount(sender)?.nonce ?? 0n;
    return this.#queues.get(sender)?.nextNonce(nonce) ?? nonce;
  }

  /**
   * What can go into a block now: the best paid first, each sender's in the order of nonces.
   *
   * Among equals, the sender that has been in the pool longest comes first. It is a view of the moment
   * of the first draw: the pool may change while it is read.
   */
  *candidates(state: StateReader, baseFee: bigint): Generator<Transaction> {
    const heads = new Heap<Head>(isBetterPaid);
    const pushNext = (rest: Iterator<PooledTransaction, undefined>, place: number) => {
      const pooled = rest.next().value;
      // A sender's later transactions cannot run before one that pays too little.
      if (pooled === undefined || pooled.maxFeePerGas < baseFee) return;
      heads.push({ pooled, tip: tipOf(pooled, baseFee), place, rest });
    };
    let place = 0;
    for (const [sender, queue] of this.#queues) {
      pushNext(queue.ready(state.findAccount(sender)?.nonce ?? 0n).values(), place++);
    }
    for (let head = heads.pop(); head !== undefined; head = heads.pop()) {
      yield head.pooled.transaction;
      pushNext(head.rest, head.place);
    }
  }

  /** Takes a transaction out. */
  remove(hash: Hash): void {
    const pooled = this.#byHash.get(hash);
    if (pooled === undefined) return;
    this.#byHash.delete(hash);
    this.#queues.get(pooled.sender)?.remove(pooled);
    if (this.#queues.get(pooled.sender)?.size === 0) this.#queues.delete(pooled.sender);
  }

  /** Takes out what the chain has passed. */
  prune(state: StateReader): void {
    for (const [sender, queue] of this.#queues) {
      const passed = queue.removeBelow(state.findAccount(sender)?.nonce ?? 0n);
      for (const { hash } of passed) this.#byHash.delete(hash);
      if (queue.size === 0) this.#queues.delete(sender);
    }
  }
}

function toPooled(transaction: Transaction): PooledTransaction {
  const { hash, nonce, sender, gasPrice = 0n } = transaction;
  return {
    transaction,
    sender,
    hash,
    nonce,
    maxFeePerGas: transaction.maxFeePerGas ?? gasPrice,
    maxPriorityFeePerGas: transaction.maxPriorityFeePerGas ?? gasPrice,
  };
}

function isBetterPaid(a: Head, b: Head): boolean {
  return a.tip === b.tip ? a.place < b.place : a.tip > b.tip;
}

/** What the maker of a block gets per gas. */
function tipOf({ maxFeePerGas, maxPriorityFeePerGas }: PooledTransaction, baseFee: bigint): bigint {
  const room = maxFeePerGas - baseFee;
  return maxPriorityFeePerGas < room ? maxPriorityFeePerGas : room;
}
