import type { Clock } from "@plinth/core";
import type { PeerEnd } from "@plinth/core/network";
import { LruMap } from "@plinth/core/primitives";
import { isLocal, isLoopback } from "./addresses.js";

/**
 * Number of offenses of one address within the window after which untrusted peers from there are
 * rejected.
 */
const MAX_OFFENCES = 8;
/** Same in a private network, where many nodes may share one address. */
const MAX_LOCAL_OFFENCES = 64;
const WINDOW_MS = 10 * 60_000;
const MAX_ADDRESSES = 2_000;

/**
 * Counts offenses by address: a new key costs an attacker nothing, a new address does.
 *
 * Nodes on this machine share one address, which is not counted.
 */
export class Offences {
  readonly #clock: Clock;
  readonly #times = new LruMap<string, readonly number[]>({ max: MAX_ADDRESSES });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records how a connection with an address ended. */
  ended(address: string, { reason, byPeer }: PeerEnd): void {
    if (byPeer || reason !== "breach-of-protocol" || isLoopback(address)) return;
    const times = [...this.#recent(address), this.#clock.now()].slice(-MAX_LOCAL_OFFENCES);
    this.#times.set(address, times);
  }

  /** Whether nodes that were never useful are currently rejected from an address. */
  areTooMany(address: string): boolean {
    return this.#recent(address).length >= (isLocal(address) ? MAX_LOCAL_OFFENCES : MAX_OFFENCES);
  }

  #recent(address: string): readonly number[] {
    const since = this.#clock.now() - WINDOW_MS;
    return (this.#times.peek(address) ?? []).filter((at) => at > since);
  }
}
