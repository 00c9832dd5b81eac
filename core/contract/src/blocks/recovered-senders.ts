import type { Address, Hash } from "../primitives/hex.js";
import { LruMap } from "../primitives/lru.js";

/** Enough for what waits in a busy pool. */
const MAX_SENDERS = 8192;

/**
 * Senders recovered lately: a transaction is met again in a proposal and in a block.
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

  /** Keeps a sender; the oldest makes room. */
  add(hash: Hash, sender: Address): void {
    this.#senders.add(hash, sender);
  }
}
