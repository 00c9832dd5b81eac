import { JobCanceled } from "./job-canceled.js";

/** A short call, which can run here or on a thread. */
export interface ShortCall {
  here(): unknown;
  away(): Promise<unknown>;
  /** Called with the time it ran here, whether it finished or was aborted. */
  took(ms: number): void;
  /** Whether the round trip to a thread is worth it while others wait. */
  readonly isWorthAThread: boolean;
}

interface Arrival {
  readonly call: ShortCall;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** What follows when a call has run. */
interface Ending {
  /** It no longer runs here. */
  ended(): void;
  /** The result of one that was aborted. */
  aborted(call: ShortCall): unknown;
}

const ABORTED = Symbol("aborted");

/** Of a call in its turn, after which the next one runs. */
const IN_TURN: Ending = { ended: () => {}, aborted: () => ABORTED };

/** How long a call may block the event loop, if it makes progress in that time. */
const BUDGET_MS = 3;
/**
 * A call that read the clock less often has hardly run: the garbage collector ran, or the machine
 * is busy.
 */
const MIN_LOOKS = 256;
/** Hard limit of that time. */
const MAX_MS = 10;
/** How long calls run one after another before the event loop turns. */
const TURN_MS = 10;

/**
 * Runs short calls on the main thread, where they cost least, and moves those that turn out to be long.
 *
 * Concurrent calls are shared with idle threads. A call that exceeds its few milliseconds is aborted and restarted on a
 * thread.
 */
export class MainTurn {
  readonly #hasIdleThread: () => boolean;
  readonly #arrivals: Arrival[] = [];
  #isScheduled = false;
  #isRunning = false;
  /**
   * When arriving calls must wait for the event loop; `undefined` if none has run since it turned.
   */
  #turnEnd: number | undefined;
  #start = Number.POSITIVE_INFINITY;
  #looks = 0;
  #isOver = false;

  /** Of a call that runs although it is not its turn. */
  readonly #alone: Ending = {
    ended: () => {
      this.#isRunning = false;
      if (this.#arrivals.length > 0) this.#schedule();
    },
    aborted: (call) => call.away(),
  };

  constructor(hasIdleThread: () => boolean) {
    this.#hasIdleThread = hasIdleThread;
  }

  /** Runs a call here or on a thread. */
  run(call: ShortCall): Promise<unknown> {
    if (!call.isWorthAThread && this.#isFree()) {
      this.#isRunning = true;
      return this.#runHere(call, this.#alone);
    }
    return new Promise((resolve, reject) => {
      this.#arrivals.push({ call, resolve, reject });
      this.#schedule();
    });
  }

  /** Called frequently while code runs here: throws if the call exceeds its time. */
  readonly verify = (): void => {
    this.#looks += 1;
    const ms = performance.now() - this.#start;
    if (ms <= BUDGET_MS || (ms <= MAX_MS && this.#looks < MIN_LOOKS)) return;
    this.#isOver = true;
    throw new JobCanceled();
  };

  /** Whether nothing runs or waits here, and the event loop has turned recently. */
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

  /** After all arrived requests were read. */
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

  /** Settles when the call has finished here, or has started on a thread. */
  async #settle({ call, resolve, reject }: Arrival): Promise<void> {
    try {
      const result = await this.#runHere(call, IN_TURN);
      if (result === ABORTED) call.away().then(resolve, reject);
      else resolve(result);
    } catch (error) {
      reject(error);
    }
  }

  /** The result of a call, or what follows if it was aborted. */
  #runHere(call: ShortCall, { ended, aborted }: Ending): Promise<unknown> {
    const start = performance.now();
    this.#isOver = false;
    this.#looks = 0;
    this.#start = start;
    const end = () => {
      this.#start = Number.POSITIVE_INFINITY;
      call.took(performance.now() - start);
      ended();
    };
    const fail = (error: unknown) => {
      end();
      if (!this.#isOver) throw error;
      return aborted(call);
    };
    return resultOf(call).then((result) => {
      end();
      return result;
    }, fail);
  }
}

/** The result of a call; a rejection if it throws. */
function resultOf(call: ShortCall): Promise<unknown> {
  try {
    return Promise.resolve(call.here());
  } catch (error) {
    return Promise.reject(error);
  }
}
