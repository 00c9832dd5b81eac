import type { Clock } from "@plinth/core";
import { LruMap } from "@plinth/core/primitives";
import { isLocal } from "./addresses.js";

/** Burst of connections from one address, and the interval at which further ones are allowed. */
const BURST = 16;
const REFILL_MS = 2_000;
const MAX_ADDRESSES = 2_000;

/**
 * Limits the connection rate per address: responding to a handshake costs more than starting one.
 */
export class Throttle {
  readonly #clock: Clock;
  /** When the burst of an address is fully available again. */
  readonly #busyUntil = new LruMap<string, number>({ max: MAX_ADDRESSES });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Counts a connection; false if the address exceeds its rate. Private networks are not limited.
   */
  admits(address: string): boolean {
    if (isLocal(address)) return true;
    const now = this.#clock.now();
    const next = Math.max(this.#busyUntil.peek(address) ?? 0, now) + REFILL_MS;
    if (next - now > BURST * REFILL_MS) return false;
    this.#busyUntil.set(address, next);
    return true;
  }
}
