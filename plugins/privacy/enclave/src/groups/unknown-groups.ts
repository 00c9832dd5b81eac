import type { Clock } from "@plinth/core";
import { toBase64 } from "@plinth/kit-enclave";

/** A group that payloads name and that is unknown to this manager. */
export interface UnknownGroup {
  readonly privacyGroupId: string;
  /** Number of payloads since the start. */
  readonly payloads: number;
  /** The key that sent the last of them. */
  readonly from: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** Maximum number of entries: an untrusted sender can name any number of groups. */
const MAX_KEPT = 100;
/**
 * Delay before the first lookup: a sender stores the group of its first payload once all recipients
 * have the payload.
 */
const FIRST_TRY_MS = 1000;
/** The interval doubles with each attempt. */
const SECOND_TRY_MS = 5000;
const MAX_BETWEEN_TRIES_MS = 60_000;

interface Entry extends UnknownGroup {
  readonly tries: number;
  /** Time of the next lookup. */
  readonly due: number;
}

/** Groups named by payloads since the start, and the time of the next lookup of each. */
export class UnknownGroups {
  readonly #clock: Clock;
  readonly #kept = new Map<string, Entry>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(id: Uint8Array, senderKey: Uint8Array): void {
    const privacyGroupId = toBase64(id);
    const now = this.#clock.now();
    const entry = this.#kept.get(privacyGroupId) ?? {
      privacyGroupId,
      payloads: 0,
      since: now,
      tries: 0,
      due: now + FIRST_TRY_MS,
    };
    this.#kept.set(privacyGroupId, {
      ...entry,
      payloads: entry.payloads + 1,
      from: toBase64(senderKey),
    });
    if (this.#kept.size > MAX_KEPT) this.#dropOne();
  }

  /** Removes groups that are known by now. */
  forget(isKnown: (id: Uint8Array) => boolean): void {
    for (const name of this.#kept.keys()) {
      if (isKnown(Buffer.from(name, "base64"))) this.#kept.delete(name);
    }
  }

  all(): readonly UnknownGroup[] {
    return Array.from(this.#kept.values(), ({ privacyGroupId, payloads, from, since }) => ({
      privacyGroupId,
      payloads,
      from,
      since,
    }));
  }

  /** Time of the next lookup of any group. */
  get nextDue(): number | undefined {
    const times = Array.from(this.#kept.values(), ({ due }) => due);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /**
   * Some groups that are due, which counts as an attempt; those that have waited the longest come
   * first.
   */
  takeDue(count: number): readonly { readonly id: Uint8Array; readonly senderKey: Uint8Array }[] {
    const now = this.#clock.now();
    const due = [...this.#kept.values()]
      .filter((entry) => entry.due <= now)
      .sort((a, b) => a.due - b.due)
      .slice(0, count);
    for (const entry of due) {
      const pause = Math.min(SECOND_TRY_MS * 2 ** entry.tries, MAX_BETWEEN_TRIES_MS);
      const next = { ...entry, tries: entry.tries + 1, due: now + pause };
      this.#kept.set(entry.privacyGroupId, next);
    }
    return due.map(({ privacyGroupId, from }) => ({
      id: Buffer.from(privacyGroupId, "base64"),
      senderKey: Buffer.from(from, "base64"),
    }));
  }

  /**
   * The oldest group of the sender that has named the most, so that it does not displace others.
   */
  #dropOne(): void {
    const counts = new Map<string, number>();
    for (const { from } of this.#kept.values()) counts.set(from, (counts.get(from) ?? 0) + 1);
    const most = Math.max(...counts.values());
    const oldest = [...this.#kept.values()].find(({ from }) => counts.get(from) === most);
    if (oldest !== undefined) this.#kept.delete(oldest.privacyGroupId);
  }
}
