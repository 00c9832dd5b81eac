import { performance } from "node:perf_hooks";

/** An activity of this thread. */
interface Activity {
  readonly what: string | (() => string);
  readonly since: number;
}

/** What occupied the thread and for how long. */
export interface Occupation {
  readonly what: string;
  readonly ms: number;
}

const CLEARLY = 1.25;

/**
 * The activities of this thread, to explain a blocked event loop.
 *
 * There is one instance per thread, as there is one event loop.
 */
export class Activities {
  readonly #open = new Set<Activity>();
  #longest: { readonly what: Activity["what"]; readonly ms: number } | undefined;
  #turnedAt = performance.now();
  #notedAt = 0;

  /**
   * Runs work under a name that is formatted only when it is reported.
   *
   * Only awaited work can still be in progress when the loop turns; otherwise the cost is two clock
   * reads.
   */
  track<T>(what: Activity["what"], work: () => T): T {
    const since = performance.now();
    try {
      const result = work();
      if (result instanceof Promise) this.follow(what, since, result);
      else this.note(what, since);
      return result;
    } catch (error) {
      this.note(what, since);
      throw error;
    }
  }

  /** The work of a promise is in progress until it settles. */
  follow(what: Activity["what"], since: number, work: Promise<unknown>): void {
    const activity = { what, since };
    this.#open.add(activity);
    this.#notedAt = performance.now();
    const end = () => {
      this.#open.delete(activity);
      this.note(what, since);
    };
    work.then(end, end);
  }

  /**
   * Notes work that has ended.
   *
   * Work started before the last turn has waited, and counts from that turn.
   *
   * Of nested activities the inner one ends first, and is named unless the outer one took clearly
   * longer.
   */
  note(what: Activity["what"], since: number, until = performance.now()): void {
    this.#notedAt = until;
    const ms = until - Math.max(since, this.#turnedAt);
    if (ms > (this.#longest?.ms ?? 0) * CLEARLY) this.#longest = { what, ms };
  }

  /** When the last activity after a time ended or began to wait; that time if there was none. */
  endOfLast(since: number): number {
    return Math.max(since, this.#notedAt);
  }

  /**
   * The event loop has turned: returns what occupied the thread longest since the previous turn.
   */
  turn(): Occupation | undefined {
    for (const { what, since } of this.#open) this.note(what, since);
    const longest = this.#longest;
    this.#longest = undefined;
    this.#turnedAt = performance.now();
    if (longest === undefined) return undefined;
    const { what, ms } = longest;
    return { what: typeof what === "string" ? what : what(), ms };
  }
}

/** The activities of this thread. */
export const activities = new Activities();
