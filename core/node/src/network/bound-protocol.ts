import type { ProtocolPeer, ProtocolSession } from "@plinth/core";
import type { OfferedProtocol } from "@plinth/core/network";

/** A sub-protocol with the plugin that contributed it; `open` calls it with that plugin's runtime. */
export interface BoundProtocol extends OfferedProtocol {
  readonly plugin: string;
  open(peer: ProtocolPeer): ProtocolSession;
}
