import { PeerError } from "@plinth/core";
import type { RejectionReason } from "@plinth/core/pool";

/** Problems that no fork and no state can fix: an honest node does not propagate them. */
const NEVER_VALID: ReadonlySet<RejectionReason> = new Set([
  "wrong-chain",
  "invalid-signature",
  "blob-count",
  "empty-authorization-list",
  "max-fee-below-priority",
]);
/** Number of invalid transactions in one message that cannot be an accident. */
const MAX_INVALID = 16;

/** Counts the verdicts of the pool on the transactions of one message. */
export class Verdicts {
  #invalid = 0;

  /** Whether the message had something that an honest node would not have sent. */
  get isUseless(): boolean {
    return this.#invalid > 0;
  }

  /**
   * Counts a transaction, with the reason if it was rejected. Throws `PeerError` if too many are
   * invalid.
   */
  add(reason: RejectionReason | undefined): void {
    if (reason === undefined || !NEVER_VALID.has(reason)) return;
    this.#invalid += 1;
    if (this.#invalid < MAX_INVALID) return;
    throw new PeerError("breach-of-protocol", `${this.#invalid} invalid transactions: ${reason}`);
  }
}
