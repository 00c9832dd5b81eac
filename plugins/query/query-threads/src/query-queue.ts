/** A queue entry: client and arrival time. */
export interface Waiting {
  /** A connection: calls over one are served in turn with those over others. */
  readonly client: object;
  /** In milliseconds. */
  readonly enqueuedAt: number;
}

/** Maximum expected duration for unknown clients, and the default before any client is known. */
const USUAL_MS = 5;
/** Waiting penalty per expected millisecond. */
const WAIT_PER_MS = 1000;
/** Maximum time a client waits behind clients with shorter calls. */
const MAX_WAIT_MS = 3000;
/** Weight of the latest call in the expected duration of the next one. */
const LATEST = 0.25;
/** Weight of a client's call in the expected duration for unknown clients. */
const LATEST_OF_ALL = 0.02;

/**
 * A bounded queue of calls.
 *
 * Clients with recent short calls go first, but no call is starved: the cost of being long is a delay of at most three
 * seconds.
 */
export class QueryQueue<T extends Waiting> {
  readonly #max: number;
  readonly #waiting: T[] = [];
  readonly #expected = new WeakMap<object, number>();
  #usualMs = USUAL_MS;

  constructor(max: number) {
    this.#max = max;
  }

  get size(): number {
    return this.#waiting.length;
  }

  /** Returns whether there was capacity for it. */
  add(item: T): boolean {
    if (this.#waiting.length >= this.#max) return false;
    this.#waiting.push(item);
    return true;
  }

  /** Removes and returns the next entry among those that can run now. */
  next(canRun: (item: T) => boolean = () => true): T | undefined {
    let best = -1;
    let least = Number.POSITIVE_INFINITY;
    for (const [index, item] of this.#waiting.entries()) {
      const turn = item.enqueuedAt + this.#waitOf(item.client);
      if (turn >= least || !canRun(item)) continue;
      least = turn;
      best = index;
    }
    return best < 0 ? undefined : this.#waiting.splice(best, 1)[0];
  }

  /** Removes an entry that no longer waits; returns whether it was queued. */
  remove(item: T): boolean {
    const index = this.#waiting.indexOf(item);
    if (index >= 0) this.#waiting.splice(index, 1);
    return index >= 0;
  }

  /** All entries. */
  all(): readonly T[] {
    return this.#waiting;
  }

  /** Removes and returns all entries. */
  clear(): readonly T[] {
    return this.#waiting.splice(0);
  }

  /** Records the duration of a client's call. */
  note(client: object, ms: number): void {
    const before = this.expectedMs(client);
    this.#expected.set(client, before + LATEST * (ms - before));
    this.#usualMs += LATEST_OF_ALL * (Math.min(ms, USUAL_MS) - this.#usualMs);
  }

  /**
   * Expected duration of a client's call; for an unknown client, that of recent calls of others.
   */
  expectedMs(client: object): number {
    return this.#expected.get(client) ?? this.#usualMs;
  }

  #waitOf(client: object): number {
    return Math.min(this.expectedMs(client) * WAIT_PER_MS, MAX_WAIT_MS);
  }
}
