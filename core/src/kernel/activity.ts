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
  #longest: { readonly activity: Activity; readonly ms: number } | undefined;
  #turnedAt = performance.now();

  /** Runs work under a name that is made into text only when it is reported. */
  track<T>(what: Activity["what"], work: () => T): T {
    const activity = { what, since: performance.now() };
    this.#open.add(activity);
    let isPending = false;
    try {
      const result = work();
      if (result instanceof Promise) {
        isPending = true;
        const end = () => this.#end(activity);
        result.then(end, end);
      }
      return result;
    } finally {
      if (!isPending) this.#end(activity);
    }
  }

  /** The event loop has turned: answers what occupied the thread longest since it turned before. */
  turn(): Occupation | undefined {
    for (const activity of this.#open) this.#note(activity);
    const longest = this.#longest;
    this.#longest = undefined;
    this.#turnedAt = performance.now();
    if (longest === undefined) return undefined;
    const { what } = longest.activity;
    return { what: typeof what === "string" ? what : what(), ms: longest.ms };
  }

  #end(activity: Activity): void {
    if (!this.#open.delete(activity)) return;
    this.#note(activity);
  }

  /**
   * What began before the loop turned last has waited, and counts from there.
   *
   * Of activities within each other the inner one ends first, and is named unless the outer one took clearly longer.
   */
  #note(activity: Activity): void {
    const ms = performance.now() - Math.max(activity.since, this.#turnedAt);
    if (ms > (this.#longest?.ms ?? 0) * CLEARLY) this.#longest = { activity, ms };
  }
}

/** What this thread works on. */
export const activities = new Activities();
