/** Something that this thread works on. */
interface Activity {
  readonly what: string | (() => string);
  readonly since: number;
}

/** What occupied the thread for how long. */
export interface Occupation {
  readonly what: string;
  readonly ms: number;
}

const CLEARLY = 1.25;

/**
 * What this thread works on, so that a blocked event loop can be explained.
 *
 * There is one event loop per thread, and so there is one of these.
 */
export class Activities {
  readonly #open = new Set<Activity>();
  #longest: { readonly what: Activity["what"]; readonly ms: number } | undefined;
  #turnedAt = performance.now();

  /**
   * Runs work under a name that is made into text only when it is reported.
   *
   * Only what is awaited can still be under way when the loop turns; the rest costs two readings of the clock.
   */
  track<T>(what: Activity["what"], work: () => T): T {
    const since = performance.now();
    try {
      const result = work();
      if (!(result instanceof Promise)) {
        this.#note(what, since);
        return result;
      }
      const activity = { what, since };
      this.#open.add(activity);
      const end = () => this.#end(activity);
      result.then(end, end);
      return result;
    } catch (error) {
      this.#note(what, since);
      throw error;
    }
  }

  /** The event loop has turned: answers what occupied the thread longest since it turned before. */
  turn(): Occupation | undefined {
    for (const { what, since } of this.#open) this.#note(what, since);
    const longest = this.#longest;
    this.#longest = undefined;
    this.#turnedAt = performance.now();
    if (longest === undefined) return undefined;
    const { what, ms } = longest;
    return { what: typeof what === "string" ? what : what(), ms };
  }

  #end(activity: Activity): void {
    this.#open.delete(activity);
    this.#note(activity.what, activity.since);
  }

  /**
   * What began before the loop turned last has waited, and counts from there.
   *
   * Of activities within each other the inner one ends first, and is named unless the outer one took clearly longer.
   */
  #note(what: Activity["what"], since: number): void {
    const ms = performance.now() - Math.max(since, this.#turnedAt);
    if (ms > (this.#longest?.ms ?? 0) * CLEARLY) this.#longest = { what, ms };
  }
}

/** What this thread works on. */
export const activities = new Activities();
