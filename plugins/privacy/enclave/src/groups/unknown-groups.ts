import type { Clock } from "@plinth/core";
import { toBase64 } from "@plinth/kit-enclave";

/** A group that payloads name and that this manager does not know. */
export interface UnknownGroup {
  readonly privacyGroupId: string;
  /** How many have come since the start. */
  readonly payloads: number;
  /** The key that sent the last of them. */
  readonly from: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** More are not kept: a stranger can name as many as it likes. */
const MAX_KEPT = 100;
/** A sender keeps the group of its first payload when all recipients have that. */
const FIRST_TRY_MS = 1000;
/** The time between two tries becomes twice as long with each. */
const SECOND_TRY_MS = 5000;
const MAX_BETWEEN_TRIES_MS = 60_000;

interface Entry extends UnknownGroup {
  readonly tries: number;
  /** When it is looked for next. */
  readonly due: number;
}

/** Groups that payloads have named since the start, and when each of them is looked for. */
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

  /** Forgets those that are known now. */
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

  /** When the next of them is looked for. */
  get nextDue(): number | undefined {
    const times = Array.from(this.#kept.values(), ({ due }) => due);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Some that are to be looked for now, which counts as a try; those that have waited the longest come first. */
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

  /** The oldest of the sender that has named the most, so that it takes no room from others. */
  #dropOne(): void {
    const counts = new Map<string, number>();
    for (const { from } of this.#kept.values()) counts.set(from, (counts.get(from) ?? 0) + 1);
    const most = Math.max(...counts.values());
    const oldest = [...this.#kept.values()].find(({ from }) => counts.get(from) === most);
    if (oldest !== undefined) this.#kept.delete(oldest.privacyGroupId);
  }
}
