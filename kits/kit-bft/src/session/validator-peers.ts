import { type Address, getCrypto, hexToBytes, type ProtocolPeer } from "@plinth/core";
import type { DisconnectReason } from "@plinth/core/network";
import { LruMap } from "@plinth/core/primitives";
import type { SignedMessage } from "../messages/messages.js";
import { RecentHashes } from "./recent-hashes.js";
import { StrangerLimits } from "./stranger-limits.js";

/** Called when the messages of a peer show that its chain has a block of this number. */
export type BlockNoted = (number: bigint) => void;

/** Non-validators come and go. */
const MAX_ENDS = 1000;

interface KnownPeer {
  readonly address: Address;
  readonly blockNoted: BlockNoted | undefined;
}

/**
 * The peers with the protocol of the engine; those with the key of a validator receive its
 * messages.
 */
export class ValidatorPeers {
  readonly #peers = new Map<ProtocolPeer, KnownPeer>();
  readonly #gossiped: RecentHashes;
  readonly #strangers = new StrangerLimits();
  /** How the last connection with each address ended. */
  readonly #ends = new LruMap<Address, DisconnectReason>({ max: MAX_ENDS });

  constructor(historyLimit: number) {
    this.#gossiped = new RecentHashes(historyLimit);
  }

  add(peer: ProtocolPeer, blockNoted?: BlockNoted): Address {
    const address = getCrypto().addressOf(hexToBytes(peer.id));
    this.#peers.set(peer, { address, blockNoted });
    return address;
  }

  /** Whether a peer has the key of a validator. */
  isOneOf(peer: ProtocolPeer, validators: readonly Address[]): boolean {
    const address = this.#peers.get(peer)?.address;
    return address !== undefined && validators.includes(address);
  }

  /**
   * Whether a message of a peer is decoded, which takes time: those of validators are, and few of
   * others.
   */
  admits(peer: ProtocolPeer, validators: readonly Address[]): boolean {
    return this.isOneOf(peer, validators) || this.#strangers.admits(peer);
  }

  /** Another height has started, possibly with other validators. */
  heightBegan(now: number): void {
    this.#strangers.heightBegan(now);
  }

  /** The messages of a peer show that its chain has a block of this number. */
  noteBlock(peer: ProtocolPeer, number: bigint): void {
    this.#peers.get(peer)?.blockNoted?.(number);
  }

  remove(peer: ProtocolPeer, reason: DisconnectReason): void {
    const address = this.#peers.get(peer)?.address;
    this.#peers.delete(peer);
    if (address !== undefined) this.#ends.set(address, reason);
  }

  /** How the last connection with each recently connected address ended. */
  ends(): ReadonlyMap<Address, DisconnectReason> {
    return new Map(this.#ends);
  }

  /** The connected addresses. */
  addresses(): ReadonlySet<Address> {
    return new Set([...this.#peers.values()].map(({ address }) => address));
  }

  /** Sends a message of this node to all validators. */
  multicast(message: SignedMessage, validators: readonly Address[]): void {
    this.#gossiped.add(message.bytes);
    for (const [peer, { address }] of this.#peers) {
      if (validators.includes(address)) peer.send(message.code, message.bytes);
    }
  }

  /** Relays a message once to the validators, except its author and the peer it came from. */
  relay(message: SignedMessage, from: ProtocolPeer, validators: readonly Address[]): void {
    if (!this.#gossiped.add(message.bytes)) return;
    for (const [peer, { address }] of this.#peers) {
      const isWanted = peer !== from && address !== message.author && validators.includes(address);
      if (isWanted) peer.send(message.code, message.bytes);
    }
  }
}
