import type { Clock } from "@plinth/core";
import { toBase64 } from "@plinth/kit-enclave";
import type { Caller } from "../peers/caller.js";

/** A deletion of a group that another manager asked for and that was not done. */
export interface RefusedDeletion {
  readonly privacyGroupId: string;
  /** The address of the caller. */
  readonly from: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly reason: string;
}

/** The last ones are kept, for the operator. */
const MAX_KEPT = 100;

/** Deletions that were refused since the start: the last for each group. */
export class RefusedDeletions {
  readonly #clock: Clock;
  readonly #kept = new Map<string, RefusedDeletion>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(id: Uint8Array, { address: from }: Caller, reason: string): void {
    const privacyGroupId = toBase64(id);
    this.#kept.delete(privacyGroupId);
    this.#kept.set(privacyGroupId, { privacyGroupId, from, at: this.#clock.now(), reason });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }

  all(): readonly RefusedDeletion[] {
    return [...this.#kept.values()];
  }
}
