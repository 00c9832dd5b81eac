import type { Hash, Runtime } from "@plinth/core";
import type { EthPeer } from "./eth-peer.js";
import type { EthPeers } from "./eth-peers.js";
import { BlockGossip } from "./gossip/block-gossip.js";
import { TransactionGossip } from "./gossip/transaction-gossip.js";

/** What the sessions of a node share. */
export interface SessionSurroundings {
  readonly runtime: Runtime;
  readonly blockGossip: BlockGossip;
  readonly transactionGossip: TransactionGossip;
  /** What peers must have, by number. */
  readonly requiredBlocks: ReadonlyMap<bigint, Hash>;
  opened(peer: EthPeer): void;
  ended(peer: EthPeer): void;
  /** A peer has a new head. */
  headChanged(): void;
}

/** Makes what sessions share, once for the node. */
export function createSurroundings(
  runtime: Runtime,
  {
    peers,
    requiredBlocks,
  }: { readonly peers: EthPeers; readonly requiredBlocks: ReadonlyMap<bigint, Hash> },
): SessionSurroundings {
  const transactionGossip = new TransactionGossip(runtime, peers);
  return {
    runtime,
    blockGossip: new BlockGossip(runtime, peers),
    transactionGossip,
    requiredBlocks,
    opened(peer) {
      peers.add(peer);
      transactionGossip.greet(peer);
    },
    ended: (peer) => peers.remove(peer),
    headChanged: () => peers.changed(),
  };
}
