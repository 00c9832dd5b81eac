import { randomBytes } from "node:crypto";
import type { Direction, NodeId } from "@plinth/core/network";

/** A connection that occupies a slot. */
export interface SlotHolder {
  readonly id: NodeId;
  readonly direction: Direction;
}

/** Limits for connections. */
export interface SlotLimits {
  readonly maxPeers: number;
  /** Maximum number of inbound connections. */
  readonly maxInbound: number;
  /** Whether the peer to evict is chosen at random instead of by reputation. */
  readonly isRandom: boolean;
}

/** The verdict on a new connection: admitted, admitted with an eviction, or rejected. */
export type SlotVerdict =
  | { readonly isAdmitted: false }
  | { readonly isAdmitted: true; readonly evicted?: SlotHolder };

/** Assigns slots; static peers need none. */
export class PeerSlots {
  readonly #limits: SlotLimits;
  readonly #mask = randomBytes(8);
  readonly #reputationOf: (id: NodeId) => number;

  constructor(limits: SlotLimits, reputationOf: (id: NodeId) => number) {
    this.#limits = limits;
    this.#reputationOf = reputationOf;
  }

  /** Whether the node needs more outbound peers. */
  hasRoom(holders: readonly SlotHolder[]): boolean {
    return holders.length < this.#limits.maxPeers || this.#hasTooManyInbound(holders);
  }

  decide({ direction }: SlotHolder, holders: readonly SlotHolder[]): SlotVerdict {
    const inbound = holders.filter((holder) => holder.direction === "inbound");
    if (direction === "inbound" && inbound.length >= this.#limits.maxInbound) {
      return { isAdmitted: false };
    }
    if (holders.length < this.#limits.maxPeers) return { isAdmitted: true };
    if (direction === "inbound" || !this.#hasTooManyInbound(holders)) return { isAdmitted: false };
    const evicted = inbound.reduce<SlotHolder | undefined>(
      (least, holder) =>
        least === undefined || this.#rank(holder.id) < this.#rank(least.id) ? holder : least,
      undefined,
    );
    return evicted === undefined ? { isAdmitted: false } : { isAdmitted: true, evicted };
  }

  #hasTooManyInbound(holders: readonly SlotHolder[]): boolean {
    const { maxInbound } = this.#limits;
    return holders.filter(({ direction }) => direction === "inbound").length > maxInbound;
  }

  /** Peers with a lower value are evicted first. */
  #rank(id: NodeId): number {
    if (!this.#limits.isRandom) return this.#reputationOf(id);
    const bytes = Buffer.from(id.slice(2, 2 + 2 * this.#mask.length), "hex");
    return bytes.reduce((sum, byte, index) => sum * 256 + (byte ^ (this.#mask[index] ?? 0)), 0);
  }
}
