import type { Clock } from "@plinth/core";

const AGAIN_AFTER_MS = 5000;
const MAX_KEPT = 4096;

/**
 * Recent queries to other managers, so that pushes from untrusted callers cannot repeat them more
 * often.
 */
export class RecentQueries {
  readonly #clock: Clock;
  readonly #askedAt = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether a query may be sent now; if so, it counts as sent. */
  begin(question: string): boolean {
    const now = this.#clock.now();
    // Ordered by time.
    for (const [name, at] of this.#askedAt) {
      if (now - at < AGAIN_AFTER_MS) break;
      this.#askedAt.delete(name);
    }
    if (this.#askedAt.has(question) || this.#askedAt.size >= MAX_KEPT) return false;
    this.#askedAt.set(question, now);
    return true;
  }
}
