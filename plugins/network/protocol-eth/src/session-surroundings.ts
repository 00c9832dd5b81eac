import type { Hash, Runtime } from "@plinth/core";
import type { EthPeer } from "./eth-peer.js";
import type { EthPeers } from "./eth-peers.js";
import { BlockGossip } from "./gossip/block-gossip.js";
import { TransactionGossip } from "./gossip/transaction-gossip.js";

/** How many items one answer to a peer may have. */
export interface AnswerLimits {
  readonly headers: number;
  readonly bodies: number;
  /** Blocks whose receipts are sent. */
  readonly receipts: number;
  readonly transactions: number;
}

/** What the sessions of a node share. */
export interface SessionSurroundings {
  readonly runtime: Runtime;
  readonly blockGossip: BlockGossip;
  readonly transactionGossip: TransactionGossip;
  readonly limits: AnswerLimits;
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
    ...settings
  }: Pick<SessionSurroundings, "limits" | "requiredBlocks"> & { readonly peers: EthPeers },
): SessionSurroundings {
  const transactionGossip = new TransactionGossip(runtime, peers);
  return {
    runtime,
    blockGossip: new BlockGossip(runtime, peers),
    transactionGossip,
    ...settings,
    opened(peer) {
      peers.add(peer);
      transactionGossip.greet(peer);
    },
    ended: (peer) => peers.remove(peer),
    headChanged: () => peers.changed(),
  };
}
