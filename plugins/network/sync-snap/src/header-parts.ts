import type { Hash, SealedHeader } from "@plinth/core";
import { JoinRefused } from "@plinth/core/chain";
import { headOf, type Pivot } from "./choose-pivot.js";
import type { JoiningPeer, JoiningPeers } from "./joining-peers.js";
import { PartEnds } from "./part-ends.js";
import { verifyCount } from "./verify-count.js";

/** Number of headers in a part: as many as peers send at once. */
export const PART_HEADERS = 512n;
/** Number of parts that are read before they are needed. */
const AHEAD = 4;

/** The dependencies of reading headers. */
export interface HeaderSettings {
  readonly pivot: Pivot;
  readonly genesisHash: Hash;
  readonly peers: JoiningPeers;
}

/**
 * Headers from block 1 to the chosen one in parts, and those that follow it as a last part.
 *
 * One peer names the last header of each part. The rest is read backwards by hashes, from any peer.
 */
export class HeaderParts {
  readonly count: number;
  readonly #settings: HeaderSettings;
  readonly #ends: PartEnds;
  readonly #full: number;
  readonly #pending = new Map<number, Promise<readonly SealedHeader[]>>();
  /** The peers that sent the headers of a part. */
  readonly #senders = new Map<number, Set<JoiningPeer>>();
  /** The part that was read last. */
  #current = 0;
  #liar: JoiningPeer | undefined;

  constructor(settings: HeaderSettings) {
    const { number } = settings.pivot.header;
    this.#settings = settings;
    this.#full = Number((number + PART_HEADERS - 1n) / PART_HEADERS);
    this.count = this.#full + (settings.pivot.laterHeaders > 0n ? 1 : 0);
    this.#ends = new PartEnds(settings, { count: this.#full, size: PART_HEADERS });
  }

  /** The headers of a part in ascending order. */
  read(part: number): Promise<readonly SealedHeader[]> {
    const found = this.#start(part);
    this.#current = part;
    this.#pending.delete(part);
    this.#senders.delete(part - 1);
    const end = Math.min(part + AHEAD, this.count);
    for (let next = part + 1; next < end; next++) void this.#start(next);
    return found;
  }

  /**
   * The peers at fault if the headers prove nothing: those that sent the ones that were read last, since no
   * other node has headers that break a rule; or the one whose headers do not lead to the chosen block.
   */
  atFault(): readonly JoiningPeer[] {
    if (this.#liar !== undefined) return [this.#liar];
    return [...(this.#senders.get(this.#current) ?? [])];
  }

  /** Whether the headers that were read last follow the chosen block. */
  get isPastPivot(): boolean {
    return this.#current >= this.#full;
  }

  #start(part: number): Promise<readonly SealedHeader[]> {
    const known = this.#pending.get(part);
    if (known !== undefined) return known;
    this.#senders.set(part, new Set());
    const started = part < this.#full ? this.#readPart(part) : this.#readLater();
    // An error is that of the later call.
    started.catch(() => {});
    this.#pending.set(part, started);
    return started;
  }

  async #readPart(part: number): Promise<readonly SealedHeader[]> {
    const end = await this.#ends.get(part);
    const first = BigInt(part) * PART_HEADERS + 1n;
    const { number } = this.#settings.pivot.header;
    const last = first + PART_HEADERS - 1n > number ? number : first + PART_HEADERS - 1n;
    const headers: SealedHeader[] = [];
    for (let next = end; BigInt(headers.length) <= last - first; ) {
      const from = last - BigInt(headers.length);
      const found = await this.#readBack(next, { from, to: first, part });
      headers.push(...found);
      next = (found.at(-1) as SealedHeader).parentHash;
    }
    headers.reverse();
    this.#verify(headers, part);
    return headers;
  }

  /** Headers from one down to another, or a prefix: none can deviate from its hash. */
  #readBack(
    hash: Hash,
    { from, to, part }: { readonly from: bigint; readonly to: bigint; readonly part: number },
  ): Promise<readonly SealedHeader[]> {
    const { peers } = this.#settings;
    return peers.ask({
      what: `the header of block ${from} (${hash})`,
      isAble: (peer) => headOf(peer) >= from,
      ask: async (peer) => {
        const request = { start: hash, limit: from - to + 1n, skip: 0n, reverse: true };
        const headers = await peer.eth.requestHeaders(request);
        return this.#noteSender(part, peer, verifyCount(headers, request.limit));
      },
    });
  }

  #verify(headers: readonly SealedHeader[], part: number): void {
    const [first] = headers;
    const before = this.#ends.find(part - 1);
    const number = BigInt(part) * PART_HEADERS + 1n;
    if (first?.number !== number || (before !== undefined && first.parentHash !== before)) {
      this.#liar = this.#ends.namer;
      throw new JoinRefused(`block ${first?.number} does not follow block ${number - 1n}`);
    }
  }

  /** Headers after the chosen block, by which it is proven. */
  async #readLater(): Promise<readonly SealedHeader[]> {
    const { peers, pivot } = this.#settings;
    const { number, hash } = pivot.header;
    const headers: SealedHeader[] = [];
    for (let start = hash; BigInt(headers.length) < pivot.laterHeaders; ) {
      const left = pivot.laterHeaders - BigInt(headers.length);
      const found = await peers.ask({
        what: `headers after block ${number + BigInt(headers.length)}`,
        isAble: (peer) => headOf(peer) >= number + pivot.laterHeaders,
        ask: async (peer) => {
          const request = { start, limit: left + 1n, skip: 0n, reverse: false };
          const [, ...after] = await peer.eth.requestHeaders(request);
          return this.#noteSender(this.#full, peer, verifyCount(after, left));
        },
      });
      headers.push(...found);
      start = (found.at(-1) as SealedHeader).hash;
    }
    return headers;
  }

  #noteSender(
    part: number,
    peer: JoiningPeer,
    headers: readonly SealedHeader[] | undefined,
  ): readonly SealedHeader[] | undefined {
    if (headers !== undefined) this.#senders.get(part)?.add(peer);
    return headers;
  }
}
