import type { Address, Hash } from "../primitives/hex.js";

/** Enough for what waits in a busy pool. */
const MAX_SENDERS = 8192;

/**
 * Senders recovered lately: a transaction is met again in a proposal and in a block.
 *
 * The hash covers the signature, so that one hash has one sender.
 */
export class RecoveredSenders {
  readonly #max: number;
  readonly #senders = new Map<Hash, Address>();

  constructor(max = MAX_SENDERS) {
    this.#max = max;
  }

  find(hash: Hash): Address | undefined {
    return this.#senders.get(hash);
  }

  /** Keeps a sender; the oldest makes room. */
  add(hash: Hash, sender: Address): void {
    this.#senders.set(hash, sender);
    if (this.#senders.size <= this.#max) return;
    const [oldest] = this.#senders.keys();
    if (oldest !== undefined) this.#senders.delete(oldest);
  }
}
