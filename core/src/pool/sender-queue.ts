import type { Hash } from "../primitives/hex.js";

/** What the pool looks at in a transaction. */
export interface Priced {
  readonly hash: Hash;
  readonly nonce: bigint;
  /** The most it pays per gas; the gas price of old transactions. */
  readonly maxFeePerGas: bigint;
  /** The most of it that goes to the block's maker; the gas price of old transactions. */
  readonly maxPriorityFeePerGas: bigint;
}

/** What became of a transaction that was offered. */
export type Placement<T> =
  | { readonly kind: "added" }
  | { readonly kind: "replaced"; readonly old: T }
  | { readonly kind: "known" }
  | { readonly kind: "underpriced"; readonly old: T };

/** One sender's transactions by nonce; at most one per nonce, the better paid. */
export class SenderQueue<T extends Priced> {
  readonly #byNonce = new Map<bigint, T>();
  readonly #priceBumpPercent: bigint;

  constructor(priceBumpPercent: number) {
    this.#priceBumpPercent = BigInt(priceBumpPercent);
  }

  get size(): number {
    return this.#byNonce.size;
  }

  /** Whether there is a transaction with this nonce. */
  has(nonce: bigint): boolean {
    return this.#byNonce.has(nonce);
  }

  /** Takes a transaction, or says why not; one that is there already gives way to a better paid one. */
  offer(transaction: T): Placement<T> {
    const old = this.#byNonce.get(transaction.nonce);
    if (old?.hash === transaction.hash) return { kind: "known" };
    if (old !== undefined && !this.#isBetterPaid(transaction, old))
      return { kind: "underpriced", old };
    this.#byNonce.set(transaction.nonce, transaction);
    return old === undefined ? { kind: "added" } : { kind: "replaced", old };
  }

  /** The transactions that can run one after another, beginning with the account's next nonce. */
  ready(accountNonce: bigint): readonly T[] {
    const ready: T[] = [];
    for (let nonce = accountNonce; ; nonce++) {
      const next = this.#byNonce.get(nonce);
      if (next === undefined) return ready;
      ready.push(next);
    }
  }

  /** Those that wait for a nonce that is missing. */
  waiting(accountNonce: bigint): readonly T[] {
    const end = accountNonce + BigInt(this.ready(accountNonce).length);
    return this.all().filter(({ nonce }) => nonce > end);
  }

  /** The nonce that the sender's next transaction should have. */
  nextNonce(accountNonce: bigint): bigint {
    return accountNonce + BigInt(this.ready(accountNonce).length);
  }

  /** Every transaction, by nonce. */
  all(): readonly T[] {
    return [...this.#byNonce.values()].sort((a, b) => (a.nonce < b.nonce ? -1 : 1));
  }

  /** Takes a transaction out; answers whether it was there. */
  remove({ nonce, hash }: Pick<T, "nonce" | "hash">): boolean {
    if (this.#byNonce.get(nonce)?.hash !== hash) return false;
    return this.#byNonce.delete(nonce);
  }

  /** Takes out what the chain has passed: every nonce below the account's. */
  removeBelow(accountNonce: bigint): readonly T[] {
    const passed = this.all().filter(({ nonce }) => nonce < accountNonce);
    for (const { nonce } of passed) this.#byNonce.delete(nonce);
    return passed;
  }

  /** Both prices must rise by the bump, so that peers who compare either take it too. */
  #isBetterPaid(transaction: T, old: T): boolean {
    const isEnough = (price: bigint, before: bigint) =>
      price * 100n >= before * (100n + this.#priceBumpPercent);
    return (
      isEnough(transaction.maxFeePerGas, old.maxFeePerGas) &&
      isEnough(transaction.maxPriorityFeePerGas, old.maxPriorityFeePerGas)
    );
  }
}
