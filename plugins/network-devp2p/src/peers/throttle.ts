import { BlockList, isIP } from "node:net";
import type { Clock } from "@plinth/core";

/** Connections that one address may open at once, and how long it takes until it may open another. */
const BURST = 16;
const REFILL_MS = 2_000;
const MAX_ADDRESSES = 2_000;

const LOCAL = new BlockList();
for (const [network, bits] of [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["169.254.0.0", 16],
] as const) {
  LOCAL.addSubnet(network, bits, "ipv4");
}
LOCAL.addAddress("::1", "ipv6");
LOCAL.addSubnet("fc00::", 7, "ipv6");
LOCAL.addSubnet("fe80::", 10, "ipv6");

/** Limits how often one address connects: a handshake costs more to answer than to begin. */
export class Throttle {
  readonly #clock: Clock;
  /** When the last of the connections that an address may open at once is free again. */
  readonly #busyUntil = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a connection; false when the address has opened too many. Addresses of private networks may open any. */
  admits(address: string): boolean {
    if (isLocal(address)) return true;
    const now = this.#clock.now();
    const next = Math.max(this.#busyUntil.get(address) ?? 0, now) + REFILL_MS;
    if (next - now > BURST * REFILL_MS) return false;
    this.#busyUntil.delete(address);
    this.#busyUntil.set(address, next);
    const [oldest] = this.#busyUntil.keys();
    if (this.#busyUntil.size > MAX_ADDRESSES && oldest !== undefined)
      this.#busyUntil.delete(oldest);
    return true;
  }
}

function isLocal(address: string): boolean {
  return LOCAL.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}
