import type { Address, Hash } from "../primitives/hex.js";
import { LruMap } from "../primitives/lru.js";

/** Enough for the transactions of a busy pool. */
const MAX_SENDERS = 8192;

/**
 * Recently recovered senders: a transaction recurs in proposals and blocks.
 *
 * The hash covers the signature, so that one hash has one sender.
 */
export class RecoveredSenders {
  readonly #senders: LruMap<Hash, Address>;

  constructor(max = MAX_SENDERS) {
    this.#senders = new LruMap({ max });
  }

  find(hash: Hash): Address | undefined {
    return this.#senders.peek(hash);
  }

  /** Caches a sender; evicts the oldest. */
  add(hash: Hash, sender: Address): void {
    this.#senders.add(hash, sender);
  }
}
