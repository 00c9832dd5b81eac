import type { Clock } from "@plinth/core";

const AGAIN_AFTER_MS = 5000;
const MAX_KEPT = 4096;

/** What other managers were asked a short time ago, so that no push of a stranger has them asked more often. */
export class RecentQuestions {
  readonly #clock: Clock;
  readonly #askedAt = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether a question may be asked now, which counts as asked then. */
  begin(question: string): boolean {
    const now = this.#clock.now();
    // In the order of their times.
    for (const [name, at] of this.#askedAt) {
      if (now - at < AGAIN_AFTER_MS) break;
      this.#askedAt.delete(name);
    }
    if (this.#askedAt.has(question) || this.#askedAt.size >= MAX_KEPT) return false;
    this.#askedAt.set(question, now);
    return true;
  }
}
