import { type Address, getCrypto, hexToBytes, type ProtocolPeer } from "@plinth/core";
import type { SignedMessage } from "./messages.js";
import { RecentHashes } from "./recent-hashes.js";

/** The peers that speak the protocol of the engine; those whose key is that of a validator get its messages. */
export class ValidatorPeers {
  readonly #peers = new Map<ProtocolPeer, Address>();
  readonly #gossiped: RecentHashes;

  constructor(historyLimit: number) {
    this.#gossiped = new RecentHashes(historyLimit);
  }

  add(peer: ProtocolPeer): Address {
    const address = getCrypto().addressOf(hexToBytes(peer.id));
    this.#peers.set(peer, address);
    return address;
  }

  remove(peer: ProtocolPeer): void {
    this.#peers.delete(peer);
  }

  /** The addresses that are connected. */
  addresses(): ReadonlySet<Address> {
    return new Set(this.#peers.values());
  }

  /** Sends a message of this node to all validators. */
  multicast(message: SignedMessage, validators: readonly Address[]): void {
    this.#gossiped.add(message.bytes);
    for (const [peer, address] of this.#peers) {
      if (validators.includes(address)) peer.send(message.code, message.bytes);
    }
  }

  /** Passes a message on to the validators but its author and the one it came from, once. */
  relay(message: SignedMessage, from: ProtocolPeer, validators: readonly Address[]): void {
    if (!this.#gossiped.add(message.bytes)) return;
    for (const [peer, address] of this.#peers) {
      const isWanted = peer !== from && address !== message.author && validators.includes(address);
      if (isWanted) peer.send(message.code, message.bytes);
    }
  }
}
