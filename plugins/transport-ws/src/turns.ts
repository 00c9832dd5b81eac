import { nextTurn } from "@plinth/core";

/** Messages are executed for so long in one turn of the event loop. */
const MAX_BUSY_MS = 10;

/**
 * Spreads messages that take time over turns of the event loop.
 *
 * Many of them may arrive at once; executing them in one turn would block everything else.
 */
export class Turns {
  #since: number | undefined;
  #isTaken = false;
  #waiting = 0;

  /** A promise to wait for when this turn is over, or others wait already. */
  enter(): Promise<void> | undefined {
    if (this.#isOver() || this.#waiting > 0) return this.#wait();
    this.#begin();
    return undefined;
  }

  /** Takes the rest of this turn, for work whose end is not known. */
  take(): void {
    this.#begin();
    this.#isTaken = true;
  }

  #begin(): void {
    if (this.#since !== undefined) return;
    this.#since = performance.now();
    setImmediate(() => {
      this.#since = undefined;
      this.#isTaken = false;
    });
  }

  #isOver(): boolean {
    return this.#isTaken || performance.now() - (this.#since ?? Infinity) > MAX_BUSY_MS;
  }

  async #wait(): Promise<void> {
    this.#waiting += 1;
    await nextTurn();
    this.#waiting -= 1;
  }
}
