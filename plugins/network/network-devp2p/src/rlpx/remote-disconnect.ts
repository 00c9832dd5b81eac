import { PeerError } from "@plinth/core";
import type { DisconnectReason } from "@plinth/core/network";

/** The peer ended the connection, with this reason. */
export class RemoteDisconnect extends PeerError {
  constructor(reason: DisconnectReason) {
    super(reason, `the peer disconnected: ${reason}`);
  }
}
