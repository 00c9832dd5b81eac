import type { Clock } from "@plinth/core";
import { LruMap } from "@plinth/core/primitives";
import { toBase64 } from "@plinth/kit-enclave";
import type { Caller } from "../peers/caller.js";

/** A rejected deletion of a group, requested by another manager. */
export interface RefusedDeletion {
  readonly privacyGroupId: string;
  /** The address of the caller. */
  readonly from: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly reason: string;
}

/** Number of entries kept for the operator. */
const MAX_KEPT = 100;

/** Deletions rejected since the start: the last one for each group. */
export class RefusedDeletions {
  readonly #clock: Clock;
  readonly #kept = new LruMap<string, RefusedDeletion>({ max: MAX_KEPT });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(id: Uint8Array, { address: from }: Caller, reason: string): void {
    const privacyGroupId = toBase64(id);
    this.#kept.set(privacyGroupId, { privacyGroupId, from, at: this.#clock.now(), reason });
  }

  all(): readonly RefusedDeletion[] {
    return [...this.#kept.values()];
  }
}
