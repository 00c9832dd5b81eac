import type { Hash, SealedHeader } from "@plinth/core";
import { headOf, type Pivot } from "./choose-pivot.js";
import type { JoiningPeer, JoiningPeers } from "./joining-peers.js";
import { verifyCount } from "./verify-count.js";

/** Number of parts whose ends are requested at once. */
const ENDS = 256n;

/** What ends of parts are named by. */
export interface EndSettings {
  readonly pivot: Pivot;
  readonly genesisHash: Hash;
  readonly peers: JoiningPeers;
}

/**
 * The last header of each part of a chain, which one peer names.
 *
 * If it leaves, another one that has the chosen block and the last end that was named takes over: if its ends do not
 * lead to the block, it contradicts itself.
 */
export class PartEnds {
  readonly #settings: EndSettings;
  readonly #count: number;
  readonly #size: bigint;
  /** The hash of the last header of each part, by its number. */
  readonly #known = new Map<number, Hash>();
  #namer: JoiningPeer | undefined;
  #naming: Promise<void> | undefined;

  /** `count` parts of `size` headers; the last one may have fewer. */
  constructor(
    settings: EndSettings,
    { count, size }: { readonly count: number; readonly size: bigint },
  ) {
    this.#settings = settings;
    this.#count = count;
    this.#size = size;
    this.#namer = settings.pivot.peer;
    this.#known.set(-1, settings.genesisHash);
    this.#known.set(count - 1, settings.pivot.header.hash);
  }

  /** The peer that named the ends; undefined if another start has chosen the block, and none was named yet. */
  get namer(): JoiningPeer | undefined {
    return this.#namer;
  }

  /** The hash of the last header of a part, if it was named; of block 0 for -1. */
  find(part: number): Hash | undefined {
    return this.#known.get(part);
  }

  async get(part: number): Promise<Hash> {
    for (;;) {
      const known = this.#known.get(part);
      if (known !== undefined) return known;
      this.#naming ??= this.#name(part).finally(() => {
        this.#naming = undefined;
      });
      await this.#naming;
    }
  }

  /** Requests the ends of parts from one on. */
  async #name(first: number): Promise<void> {
    const { peers, pivot } = this.#settings;
    const headers = await peers.ask({
      what: `the header of block ${BigInt(first + 1) * this.#size}`,
      isAble: (peer) => headOf(peer) >= pivot.header.number && this.#mayName(peer),
      ask: (peer) => this.#request(peer, first),
    });
    for (const [index, { hash }] of headers.entries()) this.#known.set(first + index, hash);
  }

  #mayName({ id }: JoiningPeer): boolean {
    const isHere = this.#namer !== undefined && this.#settings.peers.isHere(this.#namer);
    return !isHere || id === this.#namer?.id;
  }

  async #request(peer: JoiningPeer, first: number): Promise<readonly SealedHeader[] | undefined> {
    const isSame = peer.id === this.#namer?.id;
    if (!isSame && !(await this.#hasPivot(peer))) return undefined;
    const left = BigInt(this.#count - 1 - first);
    const limit = left < ENDS ? left : ENDS;
    const [before, ...after] = await peer.eth.requestHeaders({
      start: BigInt(first) * this.#size,
      limit: limit + 1n,
      skip: this.#size - 1n,
      reverse: false,
    });
    // After an interruption the end before is not known here.
    const expected = this.#known.get(first - 1) ?? before?.hash;
    const headers = verifyCount(after, limit);
    if (before?.hash !== expected || headers === undefined) return undefined;
    this.#namer = peer;
    return headers;
  }

  async #hasPivot({ eth }: JoiningPeer): Promise<boolean> {
    const { hash } = this.#settings.pivot.header;
    const request = { start: hash, limit: 1n, skip: 0n, reverse: false };
    return (await eth.requestHeaders(request)).length > 0;
  }
}
