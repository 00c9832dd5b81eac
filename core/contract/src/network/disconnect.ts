import { PlinthError } from "../kernel/errors.js";

/** Why a connection ends, as the base protocol of devp2p names it. */
export type DisconnectReason = (typeof DISCONNECT_REASONS)[number];

/** Every reason; `unspecified` stands for none, and for one that this node does not know. */
export const DISCONNECT_REASONS = [
  "requested",
  "tcp-error",
  "breach-of-protocol",
  "useless-peer",
  "too-many-peers",
  "already-connected",
  "incompatible-version",
  "null-identity",
  "client-quitting",
  "unexpected-identity",
  "same-identity",
  "timeout",
  "subprotocol-error",
  "unspecified",
] as const;

/** How a connection ended. */
export interface PeerEnd {
  readonly reason: DisconnectReason;
  /** The peer ended it; otherwise this node did. */
  readonly byPeer: boolean;
  /** What was wrong, where this node ended it; for its operator. */
  readonly why?: string | undefined;
}

/** A fault of a peer, with the reason that it is disconnected for. */
export class PeerError extends PlinthError {
  readonly reason: DisconnectReason;

  constructor(reason: DisconnectReason, message: string, cause?: unknown) {
    super("PEER_FAULT", { message, reason, cause });
    this.reason = reason;
  }
}
