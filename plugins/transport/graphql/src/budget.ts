/** Maximum number of errors in one response. */
const MAX_ERRORS = 100;

/**
 * Approximate memory budget of one request in bytes, for what is read and returned, and its error limit.
 *
 * Exceeding it does not throw, since concurrently resolved fields would each produce an error. Instead the response
 * becomes void, and resolvers check `end` before further work.
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

  /** Consumes some of it. */
  take(bytes: number): void {
    this.#left -= bytes;
  }

  /** Counts a field that could not be resolved. */
  fail(): void {
    this.#errors += 1;
  }

  /** Why the response is void; `undefined` while it is not. */
  get end(): string | undefined {
    if (this.#signal.aborted) return "it took too long, or the caller disconnected";
    if (this.#errors > MAX_ERRORS) return `more than ${MAX_ERRORS} fields could not be resolved`;
    if (this.#left >= 0) return undefined;
    return `the response would take more than ${this.#most} bytes; request less at once`;
  }
}
