import type { Hash } from "@plinth/core";
import type { EthPeer } from "../eth-peer.js";

/** Maximum number of blocks being fetched or imported, in total and per peer; more are dropped. */
const MAX_BLOCKS = 64;
const MAX_OF_PEER = 8;
/** Total size of their messages; a single one may be larger. */
const MAX_BYTES = 32 * 2 ** 20;
/**
 * Number of other peers to try if the first attempt for a block fails: the first peer may have sent
 * garbage.
 */
const MAX_OTHERS = 2;

interface Attempt {
  readonly peer: EthPeer;
  /** Its memory use. */
  readonly bytes: number;
  run(): Promise<void>;
}

interface UnderWay {
  readonly peers: Set<EthPeer>;
  readonly waiting: Attempt[];
  readonly ended: Promise<void>;
}

/** The blocks that peers sent or announced and that are not imported yet. */
export class PendingBlocks {
  readonly #isKnown: (hash: Hash) => boolean;
  readonly #blocks = new Map<Hash, UnderWay>();
  readonly #perPeer = new WeakMap<EthPeer, number>();
  #bytes = 0;

  /** `isKnown` returns whether an attempt has imported a block. */
  constructor(isKnown: (hash: Hash) => boolean) {
    this.#isKnown = isKnown;
  }

  has(hash: Hash): boolean {
    return this.#blocks.has(hash);
  }

  /** Whether a block of a peer is tried, now or after that of another peer. */
  hasRoomFor(peer: EthPeer, hash: Hash, bytes: number): boolean {
    if ((this.#perPeer.get(peer) ?? 0) >= MAX_OF_PEER) return false;
    if (this.#bytes > 0 && this.#bytes + bytes > MAX_BYTES) return false;
    const underWay = this.#blocks.get(hash);
    if (underWay === undefined) return this.#blocks.size < MAX_BLOCKS;
    return underWay.waiting.length < MAX_OTHERS && !underWay.peers.has(peer);
  }

  /** Resolves when a block is no longer in progress; at once if it is not. */
  async ended(hash: Hash): Promise<void> {
    // Errors are handled by its own attempt.
    await this.#blocks.get(hash)?.ended.catch(() => {});
  }

  /**
   * Tries a block; returns a promise for the end of all attempts, or `undefined` if this one waits
   * for another.
   */
  add(hash: Hash, attempt: Attempt): Promise<void> | undefined {
    const { peer } = attempt;
    this.#count(attempt, 1);
    const underWay = this.#blocks.get(hash);
    if (underWay !== undefined) {
      underWay.peers.add(peer);
      underWay.waiting.push(attempt);
      return undefined;
    }
    const waiting: Attempt[] = [attempt];
    const ended = this.#runAll(hash, waiting);
    this.#blocks.set(hash, { peers: new Set([peer]), waiting, ended });
    return ended;
  }

  async #runAll(hash: Hash, attempts: Attempt[]): Promise<void> {
    // After the block is recorded as in progress.
    await Promise.resolve();
    try {
      for (let next = attempts.shift(); next !== undefined; next = attempts.shift()) {
        try {
          if (!this.#isKnown(hash)) await next.run();
        } finally {
          this.#count(next, -1);
        }
      }
    } finally {
      for (const attempt of attempts) this.#count(attempt, -1);
      this.#blocks.delete(hash);
    }
  }

  #count({ peer, bytes }: Attempt, more: 1 | -1): void {
    this.#perPeer.set(peer, (this.#perPeer.get(peer) ?? 0) + more);
    this.#bytes += more * bytes;
  }
}
