export { agreeProtocols, type Capability, formatCapability } from "./capability.js";
export { DISCONNECT_REASONS, type DisconnectReason, type PeerEnd } from "./disconnect.js";
export {
  type FixedNodes,
  type HostNames,
  type LinkReceiver,
  type LocalNode,
  type NetworkDriver,
  type NetworkHost,
  type NetworkTransport,
  networkDrivers,
  type OfferedProtocol,
  type PeerLink,
} from "./driver.js";
export {
  type Enode,
  type EnodeProblem,
  type EnodeRules,
  formatEnode,
  InvalidEnode,
  isSameEnode,
  parseEnode,
} from "./enode.js";
export {
  createNetworkHooks,
  type DiscoverEvent,
  type NetworkHooks,
  type PeerMessageEvent,
  type PeerRefusal,
} from "./hooks.js";
export type { NodeId } from "./node-id.js";
export { type NodeKey, type NodeKeyDriver, nodeKeyDrivers } from "./node-key.js";
export type {
  Direction,
  Peer,
  PeerIdentity,
  PeerReport,
  PeerStatistics,
  SocketAddress,
} from "./peer.js";
export { subProtocols, verifySubProtocol } from "./sub-protocol.js";
export { type SyncProgress, SyncStatus } from "./sync-status.js";
