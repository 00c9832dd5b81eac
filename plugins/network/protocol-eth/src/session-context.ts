import type { Hash, Runtime } from "@plinth/core";
import type { EthPeer } from "./eth-peer.js";
import type { EthPeers } from "./eth-peers.js";
import { BlockGossip } from "./gossip/block-gossip.js";
import { TransactionGossip } from "./gossip/transaction-gossip.js";

/** Maximum number of items in one response to a peer. */
export interface ResponseLimits {
  readonly headers: number;
  readonly bodies: number;
  /** Blocks with receipts. */
  readonly receipts: number;
  readonly transactions: number;
}

/** What the sessions of a node share. */
export interface SessionContext {
  readonly runtime: Runtime;
  readonly blockGossip: BlockGossip;
  readonly transactionGossip: TransactionGossip;
  readonly limits: ResponseLimits;
  /** Required blocks, by number. */
  readonly requiredBlocks: ReadonlyMap<bigint, Hash>;
  opened(peer: EthPeer): void;
  ended(peer: EthPeer): void;
  /** Called when a peer has a new head. */
  headChanged(): void;
}

/** Creates the shared context of sessions, once per node. */
export function createSessionContext(
  runtime: Runtime,
  {
    peers,
    ...settings
  }: Pick<SessionContext, "limits" | "requiredBlocks"> & { readonly peers: EthPeers },
): SessionContext {
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
