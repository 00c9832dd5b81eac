import { type Clock, within } from "../clock.js";

/** A tap that has not answered for a while. */
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
/** A tap that never answers is called again with every event; of each tap so many calls are remembered. */
const MAX_CALLS = 100;
/** How long a flow waits for a tap that cannot change it. */
const WATCHER_LIMIT_MS = 10_000;

/** Notices taps that take longer than a second; nothing of the flow changes by it. */
export class TapWatch {
  readonly #clock: Clock;
  readonly #report: (tap: SlowTap) => void;
  readonly #running = new Set<Running>();
  /** How many of them each tap has. */
  readonly #calls = new Map<string, number>();
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, report: (tap: SlowTap) => void) {
    this.#clock = clock;
    this.#report = report;
  }

  /** Watches the answer of a tap until it is there; not while the tap owes too many already. */
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

  /** Waits for the answer of a tap that only watches, but not for ever; answers whether it came. */
  async awaitWatcher(answer: Promise<unknown>): Promise<boolean> {
    return (await within(this.#clock, WATCHER_LIMIT_MS, answer)).done;
  }

  /** The taps that are slow now. */
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
