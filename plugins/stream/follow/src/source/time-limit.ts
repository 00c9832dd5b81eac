/** Time without a byte, after which a response is given up. */
const STALL_MS = 15_000;
/** Slower responses are given up, whatever they deliver. */
const MIN_BYTES_PER_SECOND = 16 * 2 ** 10;

/** The limits of a response in time. */
export interface TimeLimits {
  readonly stallMs: number;
  readonly minBytesPerSecond: number;
}

/**
 * Ends a request whose response does not come, stalls, or comes too slowly.
 *
 * Only time counts in which the reader waits for bytes: it may take its time with what it has.
 */
export class TimeLimit implements Disposable {
  readonly #limits: TimeLimits;
  readonly #expired = new AbortController();
  #waitedMs = 0;
  #bytes = 0;
  #since: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor({
    stallMs = STALL_MS,
    minBytesPerSecond = MIN_BYTES_PER_SECOND,
  }: Partial<TimeLimits> = {}) {
    this.#limits = { stallMs, minBytesPerSecond };
  }

  get signal(): AbortSignal {
    return this.#expired.signal;
  }

  /** Why it has expired; `undefined` if it has not. */
  get reason(): string | undefined {
    return this.signal.aborted ? String(Object(this.signal.reason).message) : undefined;
  }

  /** From now on the reader waits; the first byte may take `extraMs` longer than others. */
  wait(extraMs = 0): void {
    const { stallMs } = this.#limits;
    const ms = stallMs + extraMs;
    this.#since = performance.now();
    this.#timer = setTimeout(() => this.#expire(`no byte for ${ms} ms`), ms);
  }

  /** The response has begun: its body has another limit. */
  responded(): void {
    clearTimeout(this.#timer);
  }

  /** Bytes of the body have arrived. */
  received(bytes: number): void {
    clearTimeout(this.#timer);
    this.#bytes += bytes;
    this.#waitedMs += performance.now() - (this.#since ?? performance.now());
    const { minBytesPerSecond, stallMs } = this.#limits;
    if (this.#waitedMs <= stallMs + (this.#bytes / minBytesPerSecond) * 1000) return;
    const ms = Math.round(this.#waitedMs);
    this.#expire(`${this.#bytes} bytes in ${ms} ms, expected ${minBytesPerSecond} per second`);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #expire(reason: string): void {
    this.#expired.abort(new Error(reason));
  }
}
