import type { Hash } from "@plinth/core";

/** Those who wait until a transaction is in a block. */
export class Waiting {
  readonly #byHash = new Map<Hash, (() => void)[]>();

  /** Resolves when the transaction, or everything, is settled. */
  wait(hash: Hash): Promise<void> {
    return new Promise((resolve) => {
      this.#byHash.set(hash, [...(this.#byHash.get(hash) ?? []), resolve]);
    });
  }

  /** Tells those who wait for this transaction. */
  settle(hash: Hash): void {
    for (const resolve of this.#byHash.get(hash) ?? []) resolve();
    this.#byHash.delete(hash);
  }

  /** Tells everybody: what still waits cannot go into a block now. */
  settleAll(): void {
    for (const hash of [...this.#byHash.keys()]) this.settle(hash);
  }
}
