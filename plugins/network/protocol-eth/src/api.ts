export type { HeaderRequest } from "./codec/blocks.js";
export { codecsOf, VERSIONS } from "./codec/index.js";
export type { EthPeer, PeerHead } from "./eth-peer.js";
export { type EthPeers, ethPeers } from "./eth-peers.js";
export { RequestFailed } from "./requests.js";
