import { JobCancelled } from "./job-cancelled.js";

/** A short call, which can run here or on a thread. */
export interface ShortCall {
  here(): unknown;
  away(): Promise<unknown>;
  /** It ran here for so long, whether it ended or was broken off. */
  took(ms: number): void;
  /** Whether the way to a thread and back is worth it while others wait. */
  readonly isWorthAThread: boolean;
}

interface Arrival {
  readonly call: ShortCall;
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
  /** When calls that arrive have to wait for the event loop; `undefined` where none has run since it turned. */
  #turnEnd: number | undefined;
  #start = Number.POSITIVE_INFINITY;
  #looks = 0;
  #isOver = false;

  constructor(hasIdleThread: () => boolean) {
    this.#hasIdleThread = hasIdleThread;
  }

  /** Runs a call here or on a thread. */
  run(call: ShortCall): Promise<unknown> {
    if (!call.isWorthAThread && this.#isFree()) return this.#runNow(call);
    return new Promise((resolve, reject) => {
      this.#arrivals.push({ call, resolve, reject });
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

  /** Whether nothing runs or waits here, and the event loop has turned lately. */
  #isFree(): boolean {
    if (this.#isRunning || this.#arrivals.length > 0) return false;
    const now = performance.now();
    if (this.#turnEnd === undefined) {
      this.#turnEnd = now + TURN_MS;
      setImmediate(() => {
        this.#turnEnd = undefined;
      });
    }
    return now < this.#turnEnd;
  }

  async #runNow(call: ShortCall): Promise<unknown> {
    this.#isRunning = true;
    let ran: { readonly result: unknown } | undefined;
    try {
      ran = await this.#runHere(call);
    } finally {
      this.#isRunning = false;
      if (this.#arrivals.length > 0) this.#schedule();
    }
    return ran === undefined ? call.away() : ran.result;
  }

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
      if (shared?.call.isWorthAThread !== true) break;
      this.#arrivals.pop();
      shared.call.away().then(shared.resolve, shared.reject);
    }
    this.#isRunning = true;
    const end = performance.now() + TURN_MS;
    do {
      const next = this.#arrivals.shift();
      if (next === undefined) break;
      await this.#settle(next);
    } while (performance.now() < end);
    this.#isRunning = false;
    if (this.#arrivals.length > 0) this.#schedule();
  }

  /** Settles when the call has ended here, or has begun on a thread. */
  async #settle({ call, resolve, reject }: Arrival): Promise<void> {
    try {
      const ran = await this.#runHere(call);
      if (ran === undefined) call.away().then(resolve, reject);
      else resolve(ran.result);
    } catch (error) {
      reject(error);
    }
  }

  /** What a call comes to; `undefined` where it is broken off. */
  async #runHere({ here, took }: ShortCall): Promise<{ readonly result: unknown } | undefined> {
    const start = performance.now();
    this.#isOver = false;
    this.#looks = 0;
    this.#start = start;
    try {
      return { result: await here() };
    } catch (error) {
      if (!this.#isOver) throw error;
      return undefined;
    } finally {
      this.#start = Number.POSITIVE_INFINITY;
      took(performance.now() - start);
    }
  }
}
