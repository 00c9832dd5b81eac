export type { HeaderRequest } from "./codec/blocks.js";
export { codecsOf, VERSIONS } from "./codec/index.js";
export type { MessageCodec, Tagged, TaggedCodec } from "./codec/message.js";
export type { EthPeer, PeerHead } from "./eth-peer.js";
export { EthPeers, ethPeers } from "./eth-peers.js";
export { type JoiningNode, JoiningSession } from "./joining-session.js";
export { RequestFailed, type RequestKind, Requests } from "./requests.js";
