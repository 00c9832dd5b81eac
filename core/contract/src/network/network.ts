import type { Capability } from "./capability.js";
import type { FixedNodes, HostNames, LocalNode } from "./driver.js";
import type { Enode } from "./enode.js";
import type { NodeId } from "./node-id.js";
import type { Peer } from "./peer.js";

/** The network of this node; also available without a network driver. */
export interface Network {
  /** Compared by peers; it may differ from the chain id. */
  readonly id: bigint;
  /** The public key of this node, 64 bytes; `undefined` without a key. */
  readonly publicKey: Uint8Array | undefined;
  /** Whether the node connects to others at all. */
  readonly isEnabled: boolean;
  /** The protocols of this node, whether it connects to others or not. */
  readonly protocols: readonly Capability[];
  /** Maximum number of peers, excluding static ones; 0 if it connects to none. */
  readonly maxPeers: number;
  /** Whether static peers may be given with a DNS name instead of an IP address. */
  readonly allowsNames: boolean;
  /** How DNS names are resolved; `undefined` if they are not allowed. */
  readonly names: HostNames | undefined;
  /** The bootnodes and static nodes of the configuration. */
  readonly fixedNodes: FixedNodes;
  /**
   * Where other nodes reach this one; `undefined` until the node is ready, and without a network.
   */
  readonly localNode: LocalNode | undefined;
  /** The connected peers. */
  peers(): readonly Peer[];
  /** A connected peer. */
  findPeer(id: NodeId): Peer | undefined;
  /** Keeps a connection to a node; false if it already does, or the node is this one. */
  addStaticPeer(enode: Enode): boolean;
  /** Reverts `addStaticPeer` and closes the connection; false if the node was not static. */
  removeStaticPeer(enode: Enode): boolean;
  /** Asks plugins about every connection again and closes those that are now rejected. */
  recheck(): Promise<void>;
}
