import { type DisconnectReason, PeerError } from "@plinth/core";

/** The peer ended the connection, with this reason. */
export class RemoteDisconnect extends PeerError {
  constructor(reason: DisconnectReason) {
    super(reason, `the peer disconnected: ${reason}`);
  }
}
