import { PlinthError } from "../kernel/errors.js";

/** Why a connection ends, as named by the devp2p base protocol. */
export type DisconnectReason = (typeof DISCONNECT_REASONS)[number];

/** All reasons; `unspecified` stands for none, and for unknown ones. */
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
  /** Details for the operator, if this node ended it. */
  readonly why?: string | undefined;
}

/** A fault of a peer, with the reason for disconnecting it. */
export class PeerError extends PlinthError {
  readonly reason: DisconnectReason;

  constructor(reason: DisconnectReason, message: string, cause?: unknown) {
    super("PEER_FAULT", { message, reason, cause });
    this.reason = reason;
  }
}
