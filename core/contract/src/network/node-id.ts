import type { Hex } from "../primitives/hex.js";

/** The public key of a node: 64 bytes as lower-case hex. */
export type NodeId = Hex;
