import { yieldToLoop } from "@plinth/core";
import { MAX_BUSY_MS } from "@plinth/core/async";

/**
 * Executes messages one after another, and in a later turn of the event loop if this one took long.
 *
 * Many may arrive at once; executing all in one turn would block everything else. A message that
 * waits for something delays the others until the next turn at most.
 */
export class MessageScheduler {
  readonly #waiting: (() => void)[] = [];
  /** The pending message of this turn. */
  #current: Promise<unknown> | undefined;
  #since: number | undefined;
  #isScheduled = false;

  /** Executes a message, at once if nothing else is running. */
  run<T>(execute: () => T | Promise<T>): T | Promise<T> {
    if (this.#waiting.length === 0 && this.#isFree()) return this.#start(execute);
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          resolve(this.#start(execute));
        } catch (error) {
          reject(error);
        }
      });
      this.#schedule();
    });
  }

  #start<T>(execute: () => T | Promise<T>): T | Promise<T> {
    this.#beginTurn();
    const result = execute();
    if (result instanceof Promise) {
      this.#current = result;
      const end = () => this.#end(result);
      result.then(end, end);
    }
    return result;
  }

  #end(message: Promise<unknown>): void {
    if (this.#current !== message) return;
    this.#current = undefined;
    this.#startWaiting();
  }

  #startWaiting(): void {
    while (this.#waiting.length > 0 && this.#isFree()) this.#waiting.shift()?.();
  }

  #isFree(): boolean {
    if (this.#current !== undefined) return false;
    return this.#since === undefined || performance.now() - this.#since < MAX_BUSY_MS;
  }

  #beginTurn(): void {
    if (this.#since !== undefined) return;
    this.#since = performance.now();
    setImmediate(() => {
      this.#since = undefined;
      this.#current = undefined;
    });
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    void yieldToLoop().then(() => {
      this.#isScheduled = false;
      this.#since = undefined;
      this.#current = undefined;
      this.#startWaiting();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }
}
