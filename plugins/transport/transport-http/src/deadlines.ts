import type { ServerResponse } from "node:http";
import type { Clock } from "@plinth/core";

/** The time limit of one request. */
interface Deadline {
  readonly at: number;
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
 * call: only those that are still in progress then get one.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  #begun: Deadline[] = [];

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  /**
   * Calls back when the time of a request is over, unless the returned function is called before or
   * the connection ends: its handler may never end.
   */
  begin(response: ServerResponse, expire: () => void): () => void {
    const at = this.#clock.now() + this.#timeoutMs;
    const deadline: Deadline = { at, response, expire, isOver: false, stopTimer: NO_TIMER };
    this.#begun.push(deadline);
    if (this.#begun.length === 1) setImmediate(() => this.#startTimers());
    return () => {
      deadline.isOver = true;
      deadline.stopTimer();
    };
  }

  #startTimers(): void {
    const begun = this.#begun;
    this.#begun = [];
    for (const deadline of begun) {
      const { at, response, expire, isOver } = deadline;
      if (isOver || response.closed) continue;
      const stopTimer = this.#clock.after(Math.max(0, at - this.#clock.now()), expire);
      deadline.stopTimer = stopTimer;
      response.once("close", stopTimer);
    }
  }
}
