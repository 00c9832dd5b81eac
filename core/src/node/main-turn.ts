import { JobCancelled } from "../worker/job-cancelled.js";

/** A short call, which can run here or on a thread. */
export interface ShortCall {
  here(): unknown;
  away(): Promise<unknown>;
  /** Whether the way to a thread and back is worth it while others wait. */
  readonly isWorthAThread: boolean;
}

interface Arrival extends ShortCall {
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** How long a call may hold up the event loop, when it does much in that time. */
const BUDGET_MS = 3;
/** A call that read the clock less often has hardly run: garbage was collected, or the machine is busy. */
const MIN_LOOKS = 256;
/** How long it may take at most. */
const MAX_MS = 10;
/** How long calls are run one after another before the event loop turns. */
const TURN_MS = 10;

/**
 * Runs short calls on the main thread, where they cost least, and hands over what turns out to be long.
 *
 * Calls that arrive together are shared with threads that have nothing to do. One that runs out of its few
 * milliseconds is broken off and begins again on a thread.
 */
export class MainTurn {
  readonly #hasIdleThread: () => boolean;
  readonly #arrivals: Arrival[] = [];
  #isScheduled = false;
  #isRunning = false;
  #start = Number.POSITIVE_INFINITY;
  #looks = 0;
  #isOver = false;

  constructor(hasIdleThread: () => boolean) {
    this.#hasIdleThread = hasIdleThread;
  }

  /** Runs a call here or on a thread. */
  run(call: ShortCall): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#arrivals.push({ ...call, resolve, reject });
      this.#schedule();
    });
  }

  /** Called all the time while code runs here: throws when the call has had its time. */
  readonly verify = (): void => {
    this.#looks += 1;
    const ms = performance.now() - this.#start;
    if (ms <= BUDGET_MS || (ms <= MAX_MS && this.#looks < MIN_LOOKS)) return;
    this.#isOver = true;
    throw new JobCancelled();
  };

  /** After everything that has arrived was read. */
  #schedule(): void {
    if (this.#isScheduled || this.#isRunning) return;
    this.#isScheduled = true;
    setImmediate(() => void this.#takeTurn());
  }

  async #takeTurn(): Promise<void> {
    this.#isScheduled = false;
    while (this.#arrivals.length > 1 && this.#hasIdleThread()) {
      const shared = this.#arrivals.at(-1);
      if (shared?.isWorthAThread !== true) break;
      this.#arrivals.pop();
      shared.away().then(shared.resolve, shared.reject);
    }
    this.#isRunning = true;
    const end = performance.now() + TURN_MS;
    do {
      const next = this.#arrivals.shift();
      if (next === undefined) break;
      await this.#attempt(next).then(next.resolve, next.reject);
    } while (performance.now() < end);
    this.#isRunning = false;
    if (this.#arrivals.length > 0) this.#schedule();
  }

  async #attempt({ here, away }: ShortCall): Promise<unknown> {
    this.#isOver = false;
    this.#looks = 0;
    this.#start = performance.now();
    try {
      return await here();
    } catch (error) {
      if (!this.#isOver) throw error;
    } finally {
      this.#start = Number.POSITIVE_INFINITY;
    }
    return away();
  }
}
