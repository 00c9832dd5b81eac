import { type Clock, within } from "../clock.js";

/** A tap that has been pending for a while. */
export interface SlowTap {
  readonly plugin: string;
  readonly hook: string;
  readonly seconds: number;
}

interface Running {
  readonly plugin: string;
  readonly hook: string;
  readonly since: number;
  isReported: boolean;
}

const SLOW_MS = 1000;
/**
 * A tap that never finishes is called again with every event; this many pending calls are
 * remembered per tap.
 */
const MAX_CALLS = 100;
/** How long a flow waits for a tap that cannot change it. */
const WATCHER_LIMIT_MS = 10_000;

/** Detects taps that take longer than a second, without affecting the flow. */
export class TapWatch {
  readonly #clock: Clock;
  readonly #report: (tap: SlowTap) => void;
  readonly #running = new Set<Running>();
  /** Number of pending calls per tap. */
  readonly #calls = new Map<string, number>();
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, report: (tap: SlowTap) => void) {
    this.#clock = clock;
    this.#report = report;
  }

  /** Watches a tap until it finishes; not while it has too many pending calls. */
  watch(tap: { readonly plugin: string; readonly hook: string }, answer: Promise<unknown>): void {
    const key = `${tap.plugin} ${tap.hook}`;
    const calls = this.#calls.get(key) ?? 0;
    if (calls >= MAX_CALLS) return;
    this.#calls.set(key, calls + 1);
    const running = { ...tap, since: this.#clock.now(), isReported: false };
    this.#running.add(running);
    this.#cancel ??= this.#clock.after(SLOW_MS, () => this.#look());
    const end = () => {
      this.#running.delete(running);
      this.#calls.set(key, (this.#calls.get(key) ?? 1) - 1);
      if (this.#running.size === 0) this.stop();
    };
    answer.then(end, end);
  }

  /** Waits for a tap that only observes, up to a limit; returns whether it finished. */
  async awaitWatcher(answer: Promise<unknown>): Promise<boolean> {
    return (await within(this.#clock, WATCHER_LIMIT_MS, answer)).done;
  }

  /** The currently slow taps. */
  slow(): readonly SlowTap[] {
    const now = this.#clock.now();
    return [...this.#running]
      .filter(({ since }) => now - since >= SLOW_MS)
      .map(({ plugin, hook, since }) => ({ plugin, hook, seconds: (now - since) / 1000 }));
  }

  /** Stops the timer. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #look(): void {
    const now = this.#clock.now();
    for (const running of this.#running) {
      const { plugin, hook, since, isReported } = running;
      if (isReported || now - since < SLOW_MS) continue;
      running.isReported = true;
      this.#report({ plugin, hook, seconds: (now - since) / 1000 });
    }
    const isWaiting = [...this.#running].some(({ isReported }) => !isReported);
    this.#cancel = isWaiting ? this.#clock.after(SLOW_MS, () => this.#look()) : undefined;
  }
}
