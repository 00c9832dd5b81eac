import type { Clock } from "@plinth/core";
import { sleepOn } from "@plinth/core/kernel";
import { Heap } from "@plinth/core/primitives";

interface Timer {
  readonly at: number;
  /** Timers of the same moment are called in the order they were set. */
  readonly order: number;
  readonly callback: () => void;
  isCanceled: boolean;
}

/** A clock that stands still until `advance`. */
export class FakeClock implements Clock {
  #now: number;
  readonly #timers = new Heap<Timer>((a, b) => a.at < b.at || (a.at === b.at && a.order < b.order));
  #set = 0;

  constructor(now = 0) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return sleepOn(this, ms, signal);
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { at: this.#now + ms, order: this.#set++, callback, isCanceled: false };
    this.#timers.push(timer);
    return () => {
      timer.isCanceled = true;
    };
  }

  /** Advances, calling due timers in order, and lets waiting promises run. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (let due = this.#takeDue(end); due !== undefined; due = this.#takeDue(end)) {
      this.#now = due.at;
      due.callback();
      await settle();
    }
    this.#now = end;
  }

  /** Takes the next timer due by then. */
  #takeDue(end: number): Timer | undefined {
    for (;;) {
      const timer = this.#timers.pop();
      if (timer === undefined) return undefined;
      if (timer.isCanceled) continue;
      if (timer.at <= end) return timer;
      this.#timers.push(timer);
      return undefined;
    }
  }
}

/** Lets settled promises run. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
