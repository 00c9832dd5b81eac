import type { Clock } from "@plinth/core";
import { LruMap } from "@plinth/core/primitives";
import { isLocal } from "./addresses.js";

/** Connections that one address may open at once, and how long it takes until it may open another. */
const BURST = 16;
const REFILL_MS = 2_000;
const MAX_ADDRESSES = 2_000;

/** Limits how often one address connects: a handshake costs more to answer than to begin. */
export class Throttle {
  readonly #clock: Clock;
  /** When the last of the connections that an address may open at once is free again. */
  readonly #busyUntil = new LruMap<string, number>({ max: MAX_ADDRESSES });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a connection; false when the address has opened too many. Addresses of private networks may open any. */
  admits(address: string): boolean {
    if (isLocal(address)) return true;
    const now = this.#clock.now();
    const next = Math.max(this.#busyUntil.peek(address) ?? 0, now) + REFILL_MS;
    if (next - now > BURST * REFILL_MS) return false;
    this.#busyUntil.set(address, next);
    return true;
  }
}
