/**
 * Who waits for a turn: work of the chain itself, such as building and importing blocks, or work that others asked for.
 *
 * While both wait they take turns, so that no number of peers and clients holds up the chain.
 */
export type Lane = "chain" | "guest";

const waiting: Readonly<Record<Lane, (() => void)[]>> = { chain: [], guest: [] };
let lastLane: Lane = "guest";

/** Work that keeps the thread longer than this should let others run. */
export const MAX_BUSY_MS = 10;

/**
 * Resolves in a later turn of the event loop.
 *
 * One waiting caller continues per turn, so that new requests are read between any two of them,
 * however many long tasks there are.
 */
export function nextTurn(lane: Lane = "guest"): Promise<void> {
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

/** Lets long work yield to the event loop now and then. */
export class Yielder {
  readonly #lane: Lane;
  #since = performance.now();

  constructor(lane: Lane = "guest") {
    this.#lane = lane;
  }

  /** Whether this work has kept the thread for 10 ms. */
  get isDue(): boolean {
    return performance.now() - this.#since >= MAX_BUSY_MS;
  }

  /** Waits for a later turn when this work has kept the thread for 10 ms. */
  async yield(): Promise<void> {
    if (!this.isDue) return;
    await nextTurn(this.#lane);
    this.#since = performance.now();
  }
}
