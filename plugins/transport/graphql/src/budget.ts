/** Errors in one answer. */
const MAX_ERRORS = 100;

/**
 * What one request may hold, in bytes, about: what is read for it and what is answered; and how many errors.
 *
 * Exceeding it throws nothing, since fields that are resolved at the same time would make an error each.
 * The answer is void then, and resolvers check `end` before further work.
 */
export class Budget {
  readonly #signal: AbortSignal;
  readonly #most: number;
  #left: number;
  #errors = 0;

  constructor(most: number, signal: AbortSignal) {
    this.#most = most;
    this.#left = most;
    this.#signal = signal;
  }

  /** Takes some of it. */
  take(bytes: number): void {
    this.#left -= bytes;
  }

  /** Counts a field that could not be answered. */
  fail(): void {
    this.#errors += 1;
  }

  /** Why the answer is void; `undefined` while it is not. */
  get end(): string | undefined {
    if (this.#signal.aborted) return "it took too long, or the caller disconnected";
    if (this.#errors > MAX_ERRORS) return `more than ${MAX_ERRORS} fields could not be answered`;
    if (this.#left >= 0) return undefined;
    return `the answer would take more than ${this.#most} bytes; ask for less at once`;
  }
}
