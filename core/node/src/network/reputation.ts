import type { Clock } from "@plinth/core";
import type { DisconnectReason, NodeId, PeerReport } from "@plinth/core/network";
import { LruMap } from "@plinth/core/primitives";

const INITIAL_SCORE = 100;
const MAX_SCORE = 150;
/** The penalty of a disconnection for a fault of the peer. */
const OFFENCE = 10;
/** Maximum consecutive timeouts of one kind of request. */
const MAX_TIMEOUTS = 5;
/** Maximum useless responses within a minute. */
const MAX_USELESS = 5;
const USELESS_WINDOW_MS = 60_000;
/** Number of remembered reputations; the least recently used are evicted first. */
const MAX_REMEMBERED = 2_000;

const OFFENCES: ReadonlySet<DisconnectReason> = new Set([
  "breach-of-protocol",
  "useless-peer",
  "timeout",
  "subprotocol-error",
]);

/** The reputation of one node. */
export class Reputation {
  readonly #clock: Clock;
  #score = INITIAL_SCORE;
  readonly #timeouts = new Map<string, number>();
  #useless: number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get score(): number {
    return this.#score;
  }

  /**
   * Counts the outcome of a request; returns the reason if the peer should be disconnected for it.
   */
  report({ outcome, request }: PeerReport): DisconnectReason | undefined {
    if (outcome === "useful") {
      this.#timeouts.delete(request);
      this.#score = Math.min(MAX_SCORE, this.#score + 1);
      return undefined;
    }
    this.#score -= 1;
    if (outcome === "timeout") {
      const count = (this.#timeouts.get(request) ?? 0) + 1;
      this.#timeouts.set(request, count);
      return count >= MAX_TIMEOUTS ? "timeout" : undefined;
    }
    const now = this.#clock.now();
    this.#useless = [...this.#useless.filter((at) => at > now - USELESS_WINDOW_MS), now];
    return this.#useless.length >= MAX_USELESS ? "useless-peer" : undefined;
  }

  /** Counts a disconnection by this node. */
  disconnected(reason: DisconnectReason): void {
    this.#timeouts.clear();
    this.#useless = [];
    if (OFFENCES.has(reason)) this.#score -= OFFENCE;
  }
}

/** The reputations of recently connected nodes. */
export class Reputations {
  readonly #clock: Clock;
  readonly #byId = new LruMap<NodeId, Reputation>({ max: MAX_REMEMBERED });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The reputation of a node; a new one for an unknown node. */
  of(id: NodeId): Reputation {
    const known = this.#byId.get(id) ?? new Reputation(this.#clock);
    this.#byId.add(id, known);
    return known;
  }
}
