import type { Clock } from "@plinth/core";
import type { DisconnectReason, NodeId, PeerEnd } from "@plinth/core/network";
import { LruMap } from "@plinth/core/primitives";

const BAN_MS = 30 * 60_000;
const MAX_BANS = 500;

/** Offenses for which this node bans, and reasons that peers send when they ban this node. */
const OWN_REASONS: ReadonlySet<DisconnectReason> = new Set([
  "breach-of-protocol",
  "incompatible-version",
]);

/** Rejected nodes: the operator's always, others for half an hour. */
export class Bans {
  readonly #clock: Clock;
  readonly #always: ReadonlySet<NodeId>;
  readonly #until = new LruMap<NodeId, number>({ max: MAX_BANS });

  constructor(clock: Clock, always: ReadonlySet<NodeId>) {
    this.#clock = clock;
    this.#always = always;
  }

  isBanned(id: NodeId): boolean {
    return this.#always.has(id) || (this.#until.peek(id) ?? 0) > this.#clock.now();
  }

  /** Bans a node if its disconnect reason warrants it. */
  ended(id: NodeId, { reason, byPeer }: PeerEnd): void {
    const isOffence = byPeer ? reason === "incompatible-version" : OWN_REASONS.has(reason);
    if (isOffence) this.#until.set(id, this.#clock.now() + BAN_MS);
  }

  /** Lifts the ban of a node that the operator adds. */
  lift(id: NodeId): void {
    this.#until.delete(id);
  }
}
