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
 * Those with consecutive nonces from the account's next nonce on are executable; the others wait
 * for a missing nonce.
 */
export class SenderQueue<T extends Numbered> {
  readonly #byNonce = new Map<bigint, T>();
  #accountNonce: bigint;
  /** The end of the executable ones: the first missing nonce. */
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

  /** The next nonce of the sender. */
  get nextNonce(): bigint {
    return this.#end;
  }

  get sizeBytes(): number {
    return this.#bytes;
  }

  /** Memory of those that wait for a missing nonce. */
  get futureBytes(): number {
    return this.#bytes - this.#readyBytes;
  }

  get readyCount(): number {
    return Number(this.#end - this.#accountNonce);
  }

  /** The last executable one. */
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

  /** Adds a transaction at its nonce, replacing an existing one. */
  put(transaction: T): void {
    const { nonce, sizeBytes } = transaction;
    const change = sizeBytes - (this.#byNonce.get(nonce)?.sizeBytes ?? 0);
    this.#byNonce.set(nonce, transaction);
    this.#bytes += change;
    if (this.isReady(nonce)) this.#readyBytes += change;
    this.#advance();
  }

  /** Removes a transaction; returns whether it was present. */
  remove({ nonce, hash }: Pick<Numbered, "nonce" | "hash">): boolean {
    const found = this.#byNonce.get(nonce);
    if (found?.hash !== hash) return false;
    if (this.isReady(nonce)) this.#shrink(nonce);
    this.#byNonce.delete(nonce);
    this.#bytes -= found.sizeBytes;
    return true;
  }

  /**
   * Sets the account's next nonce, forward or back; returns the removed transactions with used
   * nonces.
   */
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

  /** The executable ones. */
  *ready(): Generator<T, undefined> {
    for (let nonce = this.#accountNonce; nonce < this.#end; nonce++) {
      const next = this.#byNonce.get(nonce);
      if (next === undefined) return;
      yield next;
    }
  }

  /** All transactions, by nonce. */
  all(): readonly T[] {
    return [...this.#byNonce.values()].sort((a, b) => (a.nonce < b.nonce ? -1 : 1));
  }

  #takeBelow(nonce: bigint): readonly T[] {
    const passed: T[] = [];
    // Iterates whichever is smaller: the used nonces, or the stored transactions.
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

  /** Ends the executable ones at a nonce that is about to be missing. */
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
