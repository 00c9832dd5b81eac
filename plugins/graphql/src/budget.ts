/**
 * What one request may hold, in bytes, about: what is read for it and what is answered.
 *
 * Nobody is stopped where it runs out, since fields that are answered at the same time would make an error
 * each. The answer is void then, and whoever does more asks first.
 */
export class Budget {
  readonly #signal: AbortSignal;
  readonly #most: number;
  #left: number;

  constructor(most: number, signal: AbortSignal) {
    this.#most = most;
    this.#left = most;
    this.#signal = signal;
  }

  /** Takes some of it. */
  take(bytes: number): void {
    this.#left -= bytes;
  }

  /** Why the answer is void; `undefined` while it is not. */
  get end(): string | undefined {
    if (this.#signal.aborted) return "it took too long, or nobody waits for the answer";
    if (this.#left >= 0) return undefined;
    return `the answer would take more than ${this.#most} bytes; ask for less at once`;
  }
}
