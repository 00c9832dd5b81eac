export { addPeer } from "./add-peer.js";
export { changeLogLevel } from "./change-log-level.js";
export { dropTransaction } from "./drop-transaction.js";
export { nodeInfo } from "./node-info.js";
export { peers } from "./peers.js";
export { removePeer } from "./remove-peer.js";
