import type { Hash } from "@plinth/core";
import type { EthPeer } from "../eth-peer.js";

/** Blocks that are fetched or imported at a time, in all and of one peer; more are dropped. */
const MAX_BLOCKS = 64;
const MAX_OF_PEER = 8;
/** Other peers that are tried with a block where the first one fails: what it sent may have been no block at all. */
const MAX_OTHERS = 2;

interface Attempt {
  readonly peer: EthPeer;
  run(): Promise<void>;
}

interface UnderWay {
  readonly peers: Set<EthPeer>;
  readonly others: Attempt[];
  readonly ended: Promise<void>;
}

/** The blocks that peers sent or announced and that are not imported yet. */
export class BlocksUnderWay {
  readonly #isKnown: (hash: Hash) => boolean;
  readonly #blocks = new Map<Hash, UnderWay>();
  readonly #perPeer = new WeakMap<EthPeer, number>();

  /** `isKnown` says whether an attempt has imported a block. */
  constructor(isKnown: (hash: Hash) => boolean) {
    this.#isKnown = isKnown;
  }

  /** Whether a block of a peer is tried, now or after that of another peer. */
  hasRoomFor(peer: EthPeer, hash: Hash): boolean {
    if ((this.#perPeer.get(peer) ?? 0) >= MAX_OF_PEER) return false;
    const underWay = this.#blocks.get(hash);
    if (underWay === undefined) return this.#blocks.size < MAX_BLOCKS;
    return underWay.others.length < MAX_OTHERS && !underWay.peers.has(peer);
  }

  /** Resolves when a block is no longer under way; at once when it is not. */
  async ended(hash: Hash): Promise<void> {
    await this.#blocks.get(hash)?.ended;
  }

  /** Tries a block; answers what to wait for, or nothing where it waits for another attempt itself. */
  add(peer: EthPeer, hash: Hash, run: () => Promise<void>): Promise<void> | undefined {
    this.#count(peer, 1);
    const attempt = { peer, run };
    const underWay = this.#blocks.get(hash);
    if (underWay !== undefined) {
      underWay.peers.add(peer);
      underWay.others.push(attempt);
      return undefined;
    }
    const others: Attempt[] = [attempt];
    const ended = this.#runAll(hash, others);
    this.#blocks.set(hash, { peers: new Set([peer]), others, ended });
    return ended;
  }

  async #runAll(hash: Hash, attempts: Attempt[]): Promise<void> {
    // After the block is noted as under way.
    await Promise.resolve();
    try {
      for (let next = attempts.shift(); next !== undefined; next = attempts.shift()) {
        try {
          if (!this.#isKnown(hash)) await next.run();
        } finally {
          this.#count(next.peer, -1);
        }
      }
    } finally {
      for (const { peer } of attempts) this.#count(peer, -1);
      this.#blocks.delete(hash);
    }
  }

  #count(peer: EthPeer, more: number): void {
    this.#perPeer.set(peer, (this.#perPeer.get(peer) ?? 0) + more);
  }
}
