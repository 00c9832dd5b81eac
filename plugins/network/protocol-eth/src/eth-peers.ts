import { defineService } from "@plinth/core";
import type { NodeId } from "@plinth/core/network";
import type { EthPeer } from "./eth-peer.js";

/** Called when a peer comes, goes or has a new head. */
export type PeersListener = () => void;

/** The peers that speak the eth protocol. */
export class EthPeers {
  readonly #byId = new Map<NodeId, EthPeer>();
  readonly #listeners = new Set<PeersListener>();

  all(): readonly EthPeer[] {
    return [...this.#byId.values()];
  }

  /** Calls a listener at every change; the answer ends that. */
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

  /** Notes what the messages of another protocol show: a peer has a block of this number. */
  noteBlock(id: NodeId, number: bigint): void {
    this.#byId.get(id)?.learnBlock(number, () => this.changed());
  }

  changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** The peers, for plugins that ask them for blocks. */
export const ethPeers = defineService<EthPeers>("protocol-eth.peers", {
  hint: "@plinth/plugin-protocol-eth",
});
