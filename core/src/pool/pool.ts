import type { Transaction } from "../blocks/transaction.js";
import type { StateReader } from "../evm/world-state.js";
import type { Address, Hash } from "../primitives/hex.js";
import { type AdmissionRules, verifyAdmission } from "./admission.js";
import { RejectedTransaction } from "./errors.js";
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
    if (this.#byHash.has(transaction.hash))
      throw new RejectedTransaction("known", "Known transaction");
    verifyAdmission(transaction, state, { ...rules, maxNonceGap: this.#limits.maxNonceGap });
    const pooled = toPooled(transaction);
    const queue = this.#queues.get(pooled.sender) ?? new SenderQueue(this.#limits.priceBumpPercent);
    const isReplacement = queue.all().some(({ nonce }) => nonce === pooled.nonce);
    if (!isReplacement && this.size >= this.#limits.maxTransactions) {
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

  /** What can go into a block now: the best paid first, each sender's in the order of nonces. */
  *candidates(state: StateReader, baseFee: bigint): Generator<Transaction> {
    const ready = [...this.#queues]
      .map(([sender, queue]) => [...queue.ready(state.findAccount(sender)?.nonce ?? 0n)])
      .filter((list) => list.length > 0);
    while (ready.length > 0) {
      ready.sort((a, b) => compareTips(a[0], b[0], baseFee));
      const best = ready[0]?.shift();
      if (ready[0]?.length === 0) ready.shift();
      if (best !== undefined && best.maxFeePerGas >= baseFee) yield best.transaction;
      else if (best !== undefined) dropSender(ready, best.sender);
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

function compareTips(
  a: PooledTransaction | undefined,
  b: PooledTransaction | undefined,
  baseFee: bigint,
): number {
  const [left, right] = [tipOf(a, baseFee), tipOf(b, baseFee)];
  return left === right ? 0 : left > right ? -1 : 1;
}

/** What the maker of a block gets per gas. */
function tipOf(pooled: PooledTransaction | undefined, baseFee: bigint): bigint {
  if (pooled === undefined) return -1n;
  const room = pooled.maxFeePerGas - baseFee;
  return pooled.maxPriorityFeePerGas < room ? pooled.maxPriorityFeePerGas : room;
}

/** A sender's later transactions cannot run before one that pays too little. */
function dropSender(ready: PooledTransaction[][], sender: Address): void {
  const index = ready.findIndex((list) => list[0]?.sender === sender);
  if (index >= 0) ready.splice(index, 1);
}
