/**
 * Who waits for a turn: work of the chain itself, such as building and importing blocks, or work on
 * behalf of peers and clients.
 *
 * While both wait they alternate, so that no number of peers and clients delays the chain.
 */
export type Lane = "chain" | "guest";

const waiting: Readonly<Record<Lane, (() => void)[]>> = { chain: [], guest: [] };
let lastLane: Lane = "guest";

/** Work that occupies the thread longer than this should yield. */
export const MAX_BUSY_MS = 10;

/**
 * Resolves in a later turn of the event loop.
 *
 * One waiting caller continues per turn, so that new requests are read between any two of them,
 * however many long tasks there are.
 */
export function yieldToLoop(lane: Lane = "guest"): Promise<void> {
  return new Promise((resolve) => {
    waiting[lane].push(resolve);
    if (waiting.chain.length + waiting.guest.length === 1) setImmediate(wakeNext);
  });
}

function wakeNext(): void {
  const other = lastLane === "chain" ? "guest" : "chain";
  lastLane = waiting[other].length > 0 ? other : lastLane;
  waiting[lastLane].shift()?.();
  if (waiting.chain.length + waiting.guest.length > 0) setImmediate(wakeNext);
}

/** Former name of `yieldToLoop`. */
export const nextTurn = yieldToLoop;

/** Lets long work yield to the event loop periodically. */
export class Yielder {
  readonly #lane: Lane;
  readonly #maxBusyMs: number;
  #since = performance.now();

  /** `maxBusyMs` is how long the work may occupy the thread, 10 ms by default. */
  constructor(lane: Lane = "guest", maxBusyMs = MAX_BUSY_MS) {
    this.#lane = lane;
    this.#maxBusyMs = maxBusyMs;
  }

  /** Whether this work has occupied the thread for that long. */
  get isDue(): boolean {
    return performance.now() - this.#since >= this.#maxBusyMs;
  }

  /** Waits for a later turn if this work has occupied the thread for that long. */
  async yield(): Promise<void> {
    if (!this.isDue) return;
    await yieldToLoop(this.#lane);
    this.#since = performance.now();
  }
}
