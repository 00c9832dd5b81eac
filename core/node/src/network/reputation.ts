import type { Clock } from "@plinth/core";
import type { DisconnectReason, NodeId, PeerReport } from "@plinth/core/network";
import { LruMap } from "@plinth/core/primitives";

const INITIAL_SCORE = 100;
const MAX_SCORE = 150;
/** What a disconnection for a fault of the peer costs. */
const OFFENCE = 10;
/** Time-outs of one kind of request in a row. */
const MAX_TIMEOUTS = 5;
/** Useless answers within a minute. */
const MAX_USELESS = 5;
const USELESS_WINDOW_MS = 60_000;
/** Reputations of nodes that are remembered; the ones unused for longest are forgotten first. */
const MAX_REMEMBERED = 2_000;

const OFFENCES: ReadonlySet<DisconnectReason> = new Set([
  "breach-of-protocol",
  "useless-peer",
  "timeout",
  "subprotocol-error",
]);

/** How useful one node has been. */
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

  /** Counts how a request went; answers the reason when the peer is to be disconnected for it. */
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

/** The reputations of the nodes that were connected lately. */
export class Reputations {
  readonly #clock: Clock;
  readonly #byId = new LruMap<NodeId, Reputation>({ max: MAX_REMEMBERED });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The reputation of a node; a new one for a node that is not remembered. */
  of(id: NodeId): Reputation {
    const known = this.#byId.get(id) ?? new Reputation(this.#clock);
    this.#byId.add(id, known);
    return known;
  }
}
