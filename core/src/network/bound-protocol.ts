import type { OfferedProtocol } from "./driver.js";
import type { ProtocolPeer } from "./peer.js";
import type { ProtocolSession } from "./sub-protocol.js";

/** A sub-protocol with the plugin that contributed it; `open` calls it with that plugin's runtime. */
export interface BoundProtocol extends OfferedProtocol {
  readonly plugin: string;
  open(peer: ProtocolPeer): ProtocolSession;
}
