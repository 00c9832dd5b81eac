const waiting: (() => void)[] = [];

/** Work that keeps the thread longer than this should let others run. */
const MAX_BUSY_MS = 10;

/**
 * Resolves in a later turn of the event loop.
 *
 * One waiting caller continues per turn, so that new requests are read between any two of them,
 * however many long tasks there are.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(wakeNext);
  });
}

function wakeNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(wakeNext);
}

/** Lets long work yield to the event loop now and then. */
export class Yielder {
  #since = performance.now();

  /** Whether this work has kept the thread for 10 ms. */
  get isDue(): boolean {
    return performance.now() - this.#since >= MAX_BUSY_MS;
  }

  /** Waits for a later turn when this work has kept the thread for 10 ms. */
  async yield(): Promise<void> {
    if (!this.isDue) return;
    await nextTurn();
    this.#since = performance.now();
  }
}
