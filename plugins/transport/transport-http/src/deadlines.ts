import type { ServerResponse } from "node:http";
import type { Clock } from "@plinth/core";

/** The time limit of one request. */
interface Deadline {
  readonly response: ServerResponse;
  readonly expire: () => void;
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
  /** Those that began in this turn. */
  #begun: Deadline[] = [];

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Calls back when the time of a request is over, counted from the next turn, unless the returned function is called before or
   * the connection ends: its handler may never end.
   */
  begin(response: ServerResponse, expire: () => void): () => void {
    if (this.#begun.length === 0) setImmediate(() => this.#startTimers());
    const deadline: Deadline = { response, expire, isOver: false, stopTimer: NO_TIMER };
    this.#begun.push(deadline);
    return () => {
      deadline.isOver = true;
      deadline.stopTimer();
    };
  }

  #startTimers(): void {
    const begun = this.#begun;
    this.#begun = [];
    for (const deadline of begun) {
      const { response, expire, isOver } = deadline;
      if (isOver || response.closed) continue;
      const stopTimer = this.#clock.after(this.#timeoutMs, expire);
      deadline.stopTimer = stopTimer;
      response.once("close", stopTimer);
    }
  }
}
