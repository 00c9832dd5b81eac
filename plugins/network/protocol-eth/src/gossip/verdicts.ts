import { PeerError } from "@plinth/core";
import type { RejectionReason } from "@plinth/core/pool";

/** What no fork and no state makes right: an honest node does not pass it on. */
const NEVER_VALID: ReadonlySet<RejectionReason> = new Set([
  "wrong-chain",
  "invalid-signature",
  "blob-count",
  "empty-authorization-list",
  "max-fee-below-priority",
]);
/** So many of one message are no accident. */
const MAX_INVALID = 16;

/** Counts what the pool says about the transactions of one message. */
export class Verdicts {
  #invalid = 0;

  /** Whether the message had something that an honest node would not have sent. */
  get isUseless(): boolean {
    return this.#invalid > 0;
  }

  /** Counts a transaction: the reason where it was rejected. Throws `PeerError` when too many are invalid. */
  add(reason: RejectionReason | undefined): void {
    if (reason === undefined || !NEVER_VALID.has(reason)) return;
    this.#invalid += 1;
    if (this.#invalid < MAX_INVALID) return;
    throw new PeerError("breach-of-protocol", `${this.#invalid} invalid transactions: ${reason}`);
  }
}
