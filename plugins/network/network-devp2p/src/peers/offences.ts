import type { Clock } from "@plinth/core";
import type { PeerEnd } from "@plinth/core/network";
import { LruMap } from "@plinth/core/primitives";
import { isLocal, isLoopback } from "./addresses.js";

/** Offences of one address within the window after which strangers from there are refused. */
const MAX_OFFENCES = 8;
/** Of a private network, where many nodes may come from one address. */
const MAX_LOCAL_OFFENCES = 64;
const WINDOW_MS = 10 * 60_000;
const MAX_ADDRESSES = 2_000;

/**
 * Counts by address what peers were disconnected for: a new key costs them nothing, a new address does.
 *
 * Nodes on this machine share one address, so that it is not counted.
 */
export class Offences {
  readonly #clock: Clock;
  readonly #times = new LruMap<string, readonly number[]>({ max: MAX_ADDRESSES });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes how a connection with an address ended. */
  ended(address: string, { reason, byPeer }: PeerEnd): void {
    if (byPeer || reason !== "breach-of-protocol" || isLoopback(address)) return;
    const times = [...this.#recent(address), this.#clock.now()].slice(-MAX_LOCAL_OFFENCES);
    this.#times.set(address, times);
  }

  /** Whether nodes that were never of use are refused from an address for now. */
  areTooMany(address: string): boolean {
    return this.#recent(address).length >= (isLocal(address) ? MAX_LOCAL_OFFENCES : MAX_OFFENCES);
  }

  #recent(address: string): readonly number[] {
    const since = this.#clock.now() - WINDOW_MS;
    return (this.#times.peek(address) ?? []).filter((at) => at > since);
  }
}
