import type { Hash } from "@plinth/core";

/** Callers that wait until a transaction is in a block. */
export class Waiting {
  readonly #byHash = new Map<Hash, (() => void)[]>();

  /** Resolves when the transaction, or everything, is settled. */
  wait(hash: Hash): Promise<void> {
    return new Promise((resolve) => {
      this.#byHash.set(hash, [...(this.#byHash.get(hash) ?? []), resolve]);
    });
  }

  /** Resolves every wait for this transaction. */
  settle(hash: Hash): void {
    for (const resolve of this.#byHash.get(hash) ?? []) resolve();
    this.#byHash.delete(hash);
  }

  /** Resolves every wait: the remaining transactions cannot be included now. */
  settleAll(): void {
    for (const hash of [...this.#byHash.keys()]) this.settle(hash);
  }
}
