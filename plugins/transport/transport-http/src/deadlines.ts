import type { ServerResponse } from "node:http";
import type { Clock } from "@plinth/core";

/** The time limit of one request. */
interface Deadline {
  readonly response: ServerResponse;
  readonly expire: () => void;
  /** That which began before it in the same turn. */
  readonly previous: Deadline | undefined;
  isOver: boolean;
  stopTimer: () => void;
}

const NO_TIMER = () => {};

/**
 * The time limits of the requests of a listener.
 *
 * Most requests end before the event loop turns, and a timer for each would cost as much as a small
 * call: only those that are still in progress then get one, and their time counts from then.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  /** The last that began in this turn. */
  #last: Deadline | undefined;

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Calls back when the time of a request is over, unless the returned function is called before or
   * the connection ends: its handler may never end.
   */
  begin(response: ServerResponse, expire: () => void): () => void {
    if (this.#last === undefined) setImmediate(() => this.#startTimers());
    const deadline: Deadline = {
      response,
      expire,
      previous: this.#last,
      isOver: false,
      stopTimer: NO_TIMER,
    };
    this.#last = deadline;
    return () => {
      deadline.isOver = true;
      deadline.stopTimer();
    };
  }

  #startTimers(): void {
    let deadline = this.#last;
    this.#last = undefined;
    for (; deadline !== undefined; deadline = deadline.previous) {
      const { response, expire, isOver } = deadline;
      if (isOver || response.closed) continue;
      const stopTimer = this.#clock.after(this.#timeoutMs, expire);
      deadline.stopTimer = stopTimer;
      response.once("close", stopTimer);
    }
  }
}
