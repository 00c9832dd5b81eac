/** Who waits for a thread, and since when. */
export interface Waiting {
  /** A connection: calls over one are served in turn with those over others. */
  readonly client: object;
  /** In milliseconds. */
  readonly enqueuedAt: number;
}

/** How long calls of an unknown client are expected to take at most, and before any client is known. */
const USUAL_MS = 5;
/** What each expected millisecond costs in waiting. */
const WAIT_PER_MS = 1000;
/** No client waits longer than this behind clients whose calls are shorter. */
const MAX_WAIT_MS = 3000;
/** The weight of the latest call in what is expected of the next one. */
const LATEST = 0.25;
/** The weight of a client's call in what is expected of clients that are not known yet. */
const LATEST_OF_ALL = 0.02;

/**
 * Calls that wait for a thread, at most so many.
 *
 * Clients whose calls were short lately go first, but no call waits for ever behind theirs: what a long call
 * costs is a delay of at most three seconds.
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

  /** Answers whether there was room for it. */
  add(item: T): boolean {
    if (this.#waiting.length >= this.#max) return false;
    this.#waiting.push(item);
    return true;
  }

  /** Takes out the one whose turn it is, among those that can run now. */
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

  /** Takes out one that waits no longer; answers whether it was there. */
  remove(item: T): boolean {
    const index = this.#waiting.indexOf(item);
    if (index >= 0) this.#waiting.splice(index, 1);
    return index >= 0;
  }

  /** Those that wait. */
  all(): readonly T[] {
    return this.#waiting;
  }

  /** Takes out all of them. */
  clear(): readonly T[] {
    return this.#waiting.splice(0);
  }

  /** Remembers how long a call of a client took. */
  note(client: object, ms: number): void {
    const before = this.expectedMs(client);
    this.#expected.set(client, before + LATEST * (ms - before));
    this.#usualMs += LATEST_OF_ALL * (Math.min(ms, USUAL_MS) - this.#usualMs);
  }

  /** How long a call of a client is expected to take; of an unknown one, as long as those of others lately. */
  expectedMs(client: object): number {
    return this.#expected.get(client) ?? this.#usualMs;
  }

  #waitOf(client: object): number {
    return Math.min(this.expectedMs(client) * WAIT_PER_MS, MAX_WAIT_MS);
  }
}
