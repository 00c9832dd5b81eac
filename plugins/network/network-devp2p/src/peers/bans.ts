import type { Clock } from "@plinth/core";
import type { DisconnectReason, NodeId, PeerEnd } from "@plinth/core/network";
import { LruMap } from "@plinth/core/primitives";

const BAN_MS = 30 * 60_000;
const MAX_BANS = 500;

/** Offences that this node bans for, and what others say to a node they will not talk to again. */
const OWN_REASONS: ReadonlySet<DisconnectReason> = new Set([
  "breach-of-protocol",
  "incompatible-version",
]);

/** Nodes that are refused: those of the operator always, others for half an hour. */
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

  /** Bans a node when the way its connection ended is a reason to. */
  ended(id: NodeId, { reason, byPeer }: PeerEnd): void {
    const isOffence = byPeer ? reason === "incompatible-version" : OWN_REASONS.has(reason);
    if (isOffence) this.#until.set(id, this.#clock.now() + BAN_MS);
  }

  /** A node that the operator adds is talked to again. */
  lift(id: NodeId): void {
    this.#until.delete(id);
  }
}
