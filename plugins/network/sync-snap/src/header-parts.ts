import type { Hash, SealedHeader } from "@plinth/core";
import { JoinRefused } from "@plinth/core/chain";
import { type Checkpoint, verifyCheckpoint } from "./checkpoint.js";
import { headOf, type Pivot } from "./choose-pivot.js";
import type { JoiningPeer, JoiningPeers } from "./joining-peers.js";

/** Number of headers in a part: as many as peers send at once. */
export const PART_HEADERS = 512n;
/** Number of parts whose ends are requested at once. */
const ENDS = 256n;
/** Number of parts that are read before they are needed. */
const AHEAD = 4;

/** The dependencies of reading headers. */
export interface HeaderSettings {
  readonly pivot: Pivot;
  readonly genesisHash: Hash;
  readonly peers: JoiningPeers;
  readonly checkpoint: Checkpoint | undefined;
}

/**
 * Headers from block 1 to the chosen one in parts, and those that follow it as a last part.
 *
 * One peer names the last header of each part. The rest is read backwards by hashes, from any peer.
 */
export class HeaderParts {
  readonly count: number;
  /** The peers that have named headers: at fault if the headers prove nothing. */
  readonly sources = new Set<JoiningPeer>();
  readonly #settings: HeaderSettings;
  readonly #full: number;
  readonly #pending = new Map<number, Promise<readonly SealedHeader[]>>();
  /** The hash of the last header of each part, by its number. */
  readonly #ends = new Map<number, Hash>();
  #naming: Promise<void> | undefined;

  constructor(settings: HeaderSettings) {
    const { number, hash } = settings.pivot.header;
    this.#settings = settings;
    this.#full = Number((number + PART_HEADERS - 1n) / PART_HEADERS);
    this.count = this.#full + (settings.pivot.laterHeaders > 0n ? 1 : 0);
    this.#ends.set(-1, settings.genesisHash);
    this.#ends.set(this.#full - 1, hash);
    if (settings.pivot.peer !== undefined) this.sources.add(settings.pivot.peer);
  }

  /** The headers of a part in ascending order. */
  read(part: number): Promise<readonly SealedHeader[]> {
    const found = this.#start(part);
    this.#pending.delete(part);
    const end = Math.min(part + AHEAD, this.count);
    for (let next = part + 1; next < end; next++) void this.#start(next);
    return found;
  }

  #start(part: number): Promise<readonly SealedHeader[]> {
    const known = this.#pending.get(part);
    if (known !== undefined) return known;
    const started = part < this.#full ? this.#readPart(part) : this.#readLater();
    // An error is that of the later call.
    started.catch(() => {});
    this.#pending.set(part, started);
    return started;
  }

  async #readPart(part: number): Promise<readonly SealedHeader[]> {
    const end = await this.#endOf(part);
    const first = BigInt(part) * PART_HEADERS + 1n;
    const { number } = this.#settings.pivot.header;
    const last = first + PART_HEADERS - 1n > number ? number : first + PART_HEADERS - 1n;
    const headers: SealedHeader[] = [];
    for (let next = end; BigInt(headers.length) <= last - first; ) {
      const found = await this.#readBack(next, last - BigInt(headers.length), first);
      headers.push(...found);
      next = (found.at(-1) as SealedHeader).parentHash;
    }
    headers.reverse();
    this.#verify(headers, part);
    return headers;
  }

  /** Headers from one down to another, or a prefix: none can deviate from its hash. */
  #readBack(hash: Hash, from: bigint, to: bigint): Promise<readonly SealedHeader[]> {
    const { peers } = this.#settings;
    return peers.ask({
      what: `the header of block ${from} (${hash})`,
      isAble: (peer) => headOf(peer) >= from,
      ask: async ({ eth }) => {
        const request = { start: hash, limit: from - to + 1n, skip: 0n, reverse: true };
        const headers = await eth.requestHeaders(request);
        return headers.length === 0 ? undefined : headers;
      },
    });
  }

  #verify(headers: readonly SealedHeader[], part: number): void {
    const [first] = headers;
    const before = this.#ends.get(part - 1);
    const number = BigInt(part) * PART_HEADERS + 1n;
    if (first?.number !== number || (before !== undefined && first.parentHash !== before)) {
      throw new JoinRefused(`block ${first?.number} does not follow block ${number - 1n}`);
    }
    for (const header of headers) verifyCheckpoint(header, this.#settings.checkpoint);
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
        ask: async ({ eth }) => {
          const request = { start, limit: left + 1n, skip: 0n, reverse: false };
          const [, ...after] = await eth.requestHeaders(request);
          return after.length === 0 ? undefined : after;
        },
      });
      headers.push(...found);
      start = (found.at(-1) as SealedHeader).hash;
    }
    return headers;
  }

  async #endOf(part: number): Promise<Hash> {
    for (;;) {
      const known = this.#ends.get(part);
      if (known !== undefined) return known;
      this.#naming ??= this.#nameEnds(part).finally(() => {
        this.#naming = undefined;
      });
      await this.#naming;
    }
  }

  /** Requests the last headers of parts, from the peer that has named the block if it is still here. */
  async #nameEnds(part: number): Promise<void> {
    const { peers, pivot } = this.#settings;
    const first = BigInt(part + 1) * PART_HEADERS;
    const parts = BigInt(this.#full - 1 - part);
    const limit = parts < ENDS ? parts : ENDS;
    const headers = await peers.ask({
      what: `the header of block ${first}`,
      isAble: (peer) => headOf(peer) >= pivot.header.number && this.#isPreferred(peer),
      ask: async (peer) => {
        const request = { start: first, limit, skip: PART_HEADERS - 1n, reverse: false };
        const found = await peer.eth.requestHeaders(request);
        if (found.length === 0) return undefined;
        this.sources.add(peer);
        return found;
      },
    });
    for (const [index, { hash }] of headers.entries()) this.#ends.set(part + index, hash);
  }

  #isPreferred({ id }: JoiningPeer): boolean {
    const { peers, pivot } = this.#settings;
    const isHere = peers.all().some((peer) => peer.id === pivot.peer?.id);
    return !isHere || id === pivot.peer?.id;
  }
}
