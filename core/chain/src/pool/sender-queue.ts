import type { Hash } from "@plinth/core";

/** The fields of a transaction that a queue reads. */
export interface Numbered {
  readonly hash: Hash;
  readonly nonce: bigint;
  readonly sizeBytes: number;
}

/**
 * One sender's transactions by nonce, at most one each.
 *
 * Those that can run one after another, beginning with the account's next nonce, are ready; the others
 * wait for a nonce that is missing.
 */
export class SenderQueue<T extends Numbered> {
  readonly #byNonce = new Map<bigint, T>();
  #accountNonce: bigint;
  /** Where the ready ones end: the first nonce that is missing. */
  #end: bigint;
  #bytes = 0;
  #readyBytes = 0;

  constructor(accountNonce: bigint) {
    this.#accountNonce = accountNonce;
    this.#end = accountNonce;
  }

  get size(): number {
    return this.#byNonce.size;
  }

  get accountNonce(): bigint {
    return this.#accountNonce;
  }

  /** The nonce that the sender's next transaction should have. */
  get nextNonce(): bigint {
    return this.#end;
  }

  get sizeBytes(): number {
    return this.#bytes;
  }

  /** What those take that wait for a missing nonce. */
  get futureBytes(): number {
    return this.#bytes - this.#readyBytes;
  }

  get readyCount(): number {
    return Number(this.#end - this.#accountNonce);
  }

  /** The last of those that can run. */
  get lastReady(): T | undefined {
    return this.readyCount === 0 ? undefined : this.#byNonce.get(this.#end - 1n);
  }

  find(nonce: bigint): T | undefined {
    return this.#byNonce.get(nonce);
  }

  /** Whether no nonce before that one is missing. */
  isReady(nonce: bigint): boolean {
    return nonce >= this.#accountNonce && nonce < this.#end;
  }

  /** Puts a transaction at its nonce, in the place of one that may be there. */
  put(transaction: T): void {
    const { nonce, sizeBytes } = transaction;
    const change = sizeBytes - (this.#byNonce.get(nonce)?.sizeBytes ?? 0);
    this.#byNonce.set(nonce, transaction);
    this.#bytes += change;
    if (this.isReady(nonce)) this.#readyBytes += change;
    this.#advance();
  }

  /** Takes a transaction out; answers whether it was there. */
  remove({ nonce, hash }: Pick<Numbered, "nonce" | "hash">): boolean {
    const found = this.#byNonce.get(nonce);
    if (found?.hash !== hash) return false;
    if (this.isReady(nonce)) this.#shrink(nonce);
    this.#byNonce.delete(nonce);
    this.#bytes -= found.sizeBytes;
    return true;
  }

  /** Follows the account to its next nonce, ahead or back; answers what it has passed, which is out. */
  follow(accountNonce: bigint): readonly T[] {
    if (accountNonce === this.#accountNonce) return [];
    const passed = accountNonce > this.#accountNonce ? this.#takeBelow(accountNonce) : [];
    const isWithin = accountNonce > this.#accountNonce && accountNonce <= this.#end;
    this.#accountNonce = accountNonce;
    if (!isWithin) {
      this.#end = accountNonce;
      this.#readyBytes = 0;
    }
    this.#advance();
    return passed;
  }

  /** Those that can run one after another. */
  *ready(): Generator<T, undefined> {
    for (let nonce = this.#accountNonce; nonce < this.#end; nonce++) {
      const next = this.#byNonce.get(nonce);
      if (next === undefined) return;
      yield next;
    }
  }

  /** Every transaction, by nonce. */
  all(): readonly T[] {
    return [...this.#byNonce.values()].sort((a, b) => (a.nonce < b.nonce ? -1 : 1));
  }

  #takeBelow(nonce: bigint): readonly T[] {
    const passed: T[] = [];
    // Whichever is less: the nonces that were passed, or those that are here.
    const isLong = nonce - this.#accountNonce > BigInt(this.size);
    const nonces = isLong ? [...this.#byNonce.keys()] : nonceRange(this.#accountNonce, nonce);
    for (const candidate of nonces) {
      const found = candidate < nonce ? this.#byNonce.get(candidate) : undefined;
      if (found === undefined) continue;
      this.#byNonce.delete(candidate);
      this.#bytes -= found.sizeBytes;
      if (this.isReady(candidate)) this.#readyBytes -= found.sizeBytes;
      passed.push(found);
    }
    return passed;
  }

  #advance(): void {
    for (let next = this.find(this.#end); next !== undefined; next = this.find(this.#end)) {
      this.#readyBytes += next.sizeBytes;
      this.#end += 1n;
    }
  }

  /** Ends the ready ones at a nonce that is about to be missing. */
  #shrink(nonce: bigint): void {
    for (let last = this.#end - 1n; last >= nonce; last--) {
      this.#readyBytes -= this.find(last)?.sizeBytes ?? 0;
    }
    this.#end = nonce;
  }
}

function* nonceRange(from: bigint, to: bigint): Generator<bigint> {
  for (let nonce = from; nonce < to; nonce++) yield nonce;
}
