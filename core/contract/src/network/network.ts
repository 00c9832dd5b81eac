import type { Capability } from "./capability.js";
import type { FixedNodes, HostNames, LocalNode } from "./driver.js";
import type { Enode } from "./enode.js";
import type { NodeId } from "./node-id.js";
import type { Peer } from "./peer.js";

/** The network this node belongs to; the same with no network driver loaded. */
export interface Network {
  /** What peers compare; it may differ from the chain id. */
  readonly id: bigint;
  /** The public key of this node, 64 bytes; `undefined` without a key. */
  readonly publicKey: Uint8Array | undefined;
  /** Whether the node connects with others at all. */
  readonly isEnabled: boolean;
  /** The protocols that this node speaks, whether it connects with others or not. */
  readonly protocols: readonly Capability[];
  /** How many peers the node connects with, static ones apart; 0 when it connects with none. */
  readonly maxPeers: number;
  /** Whether static peers may be given with a DNS name in place of an IP address. */
  readonly allowsNames: boolean;
  /** How those names are used; `undefined` where none are. */
  readonly names: HostNames | undefined;
  /** The bootnodes and static nodes of the configuration. */
  readonly fixedNodes: FixedNodes;
  /** Where other nodes reach this one; `undefined` until the node is ready, and without a network. */
  readonly localNode: LocalNode | undefined;
  /** The nodes that are connected. */
  peers(): readonly Peer[];
  /** A connected node. */
  findPeer(id: NodeId): Peer | undefined;
  /** Keeps a connection with a node; false when it does so already, or the node is this one. */
  addStaticPeer(enode: Enode): boolean;
  /** Ends what `addStaticPeer` began, and the connection; false when the node was not static. */
  removeStaticPeer(enode: Enode): boolean;
  /** Asks plugins about every connection again and ends those that are refused now. */
  recheck(): Promise<void>;
}
