import { defineService } from "@plinth/core";
import type { NodeId } from "@plinth/core/network";
import type { EthPeer } from "./eth-peer.js";

/** Called when a peer connects, disconnects or has a new head. */
export type PeersListener = () => void;

/** The peers with the eth protocol. */
export class EthPeers {
  readonly #byId = new Map<NodeId, EthPeer>();
  readonly #listeners = new Set<PeersListener>();

  all(): readonly EthPeer[] {
    return [...this.#byId.values()];
  }

  /** Registers a listener; returns a function that removes it. */
  onChange(listener: PeersListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  add(peer: EthPeer): void {
    this.#byId.set(peer.id, peer);
    this.changed();
  }

  remove(peer: EthPeer): void {
    if (this.#byId.get(peer.id) !== peer) return;
    this.#byId.delete(peer.id);
    this.changed();
  }

  /** Records evidence from another protocol that a peer has a block of this number. */
  noteBlock(id: NodeId, number: bigint): void {
    this.#byId.get(id)?.learnBlock(number, () => this.changed());
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The peers, for plugins that request blocks from them. */
export const ethPeers = defineService<EthPeers>("protocol-eth.peers", {
  hint: "@plinth/plugin-protocol-eth",
});
