import {
  type Address,
  createMemoryStorageDriver,
  EMPTY_ROOT,
  type Hash,
  type Header,
  keccak256,
  type KeyValueStore,
  loadCrypto,
  type SealedHeader,
  toHex,
  ZERO_HASH,
} from "@plinth/core";
import { createMPT } from "@ethereumjs/mpt";
import { encodeHeader, NO_UNCLES_HASH, sealHeader } from "@plinth/core/blocks";
import { beforeAll, describe, expect, it } from "vitest";
import { ChainStore } from "../../store/chain-store.js";
import { StateStore } from "../state-store.js";
import { bytesOf, encodeAccount } from "../state-values.js";
import type { JournaledState } from "../world-state.js";
import { FlatLayout } from "./flat-layout.js";

beforeAll(loadCrypto);

/** `npm run long -- state` checks 100,000 blocks. */
const BLOCKS = Number(process.env.PLINTH_STATE_BLOCKS ?? 2_000);
const PER_CHAIN = 100;

describe("the flat layout", () => {
  it(`has the states of the hash trie after each of ${BLOCKS} blocks of random chains`, async () => {
    for (let seed = 1; seed <= BLOCKS / PER_CHAIN; seed++) {
      const chain = await RandomChain.create(seed);
      await chain.run(PER_CHAIN);
    }
  });
});

const ADDRESSES = Array.from({ length: 6 }, (_, n): Address => toHex(new Uint8Array(20).fill(n + 1)));
const SLOTS = Array.from({ length: 6 }, (_, n): Hash => toHex(new Uint8Array(32).fill(n + 1)));

/** A chain with both layouts in one database, and a random fork choice. */
class RandomChain {
  readonly #store: KeyValueStore;
  readonly #chain: ChainStore;
  readonly #forest: StateStore;
  #flat: StateStore;
  readonly #random: () => number;
  readonly #blocks: SealedHeader[] = [];
  #head: SealedHeader;

  private constructor(store: KeyValueStore, seed: number) {
    this.#store = store;
    this.#chain = new ChainStore(store);
    this.#forest = new StateStore(store);
    this.#flat = openFlat(store);
    this.#random = randomOf(seed);
    this.#head = headerOf({ number: -1n, stateRoot: EMPTY_ROOT });
  }

  static async create(seed: number): Promise<RandomChain> {
    const chain = new RandomChain(await createMemoryStorageDriver().open({ folder: "" }), seed);
    await chain.#add(chain.#head);
    return chain;
  }

  async run(blocks: number): Promise<void> {
    for (let block = 1; block < blocks; block++) {
      const step = this.#random();
      if (step < 0.75) await this.#add(this.#head);
      else if (step < 0.85) await this.#add(this.#any());
      else if (step < 0.95) await this.#setHead(this.#any());
      else this.#flat = openFlat(this.#store);
      this.#verify(this.#head);
      this.#verify(this.#any());
    }
    for (const block of this.#blocks) this.#verify(block);
    await this.#verifyRoot();
  }

  /** Adds a block on another one; it becomes the head if that was the head, or by chance. */
  async #add(parent: SealedHeader): Promise<void> {
    const seed = this.#pick(2 ** 31);
    const [forest, flat] = [this.#forest, this.#flat].map((states) => {
      const state = states.open(parent);
      change(state, randomOf(seed));
      return states.update(state);
    });
    if (forest === undefined || flat === undefined) throw new Error("no states");
    expect(flat.root).toBe(forest.root);

    const header = headerOf({
      number: parent.number + 1n,
      parentHash: parent.hash,
      stateRoot: flat.root,
      extraData: Uint8Array.of(this.#blocks.length, this.#blocks.length >> 8),
    });
    const isHead = parent === this.#head || this.#random() < 0.5;
    const batch = this.#store.batch();
    batch.put("headers", bytesOf(header.hash), encodeHeader(header));
    this.#forest.add(forest);
    this.#flat.add(flat);
    const moved = isHead ? this.#move(batch, header) : undefined;
    const executed = { header, state: flat };
    const written = [
      this.#forest.writeTo(batch),
      this.#flat.writeTo(batch, { executed, ...(moved && { moved }) }),
    ];
    await batch.commit();
    for (const release of written) release();
    this.#blocks.push(header);
    if (isHead) this.#head = header;
  }

  async #setHead(header: SealedHeader): Promise<void> {
    const reader = this.#flat.open(this.#head);
    const before = this.#forest.open(this.#head);
    const batch = this.#store.batch();
    const moved = this.#move(batch, header);
    const release = this.#flat.writeTo(batch, { moved });
    await batch.commit();
    release();
    this.#head = header;
    // It was opened before the head moved.
    for (const address of ADDRESSES) expectSame(reader, before, address);
  }

  #move(batch: ReturnType<KeyValueStore["batch"]>, head: SealedHeader) {
    const removed: SealedHeader[] = [];
    const added: SealedHeader[] = [];
    let [old, next]: (SealedHeader | undefined)[] = [this.#blocks.length > 0 ? this.#head : undefined, head];
    while (old?.hash !== next?.hash) {
      if (next !== undefined && (old === undefined || next.number >= old.number)) {
        added.unshift(next);
        next = this.#find(next.parentHash);
      } else if (old !== undefined) {
        removed.push(old);
        old = this.#find(old.parentHash);
      }
    }
    const body = { transactions: [], uncles: [] };
    for (const header of removed) this.#chain.removeFromCanonical(batch, { header, body });
    for (const header of added) this.#chain.addToCanonical(batch, { header, body });
    this.#chain.setHead(batch, head.hash);
    return { head, removed, added };
  }

  #verify(block: SealedHeader): void {
    const forest = this.#forest.open(block);
    const flat = this.#flat.open(block);
    for (const address of ADDRESSES) expectSame(flat, forest, address);
    const address = ADDRESSES[this.#pick(ADDRESSES.length)] as Address;
    const request = { address, slots: SLOTS };
    expect(this.#flat.prove(block, request)).toEqual(this.#forest.prove(block, request));
    const start = ZERO_HASH;
    expect([...this.#flat.accountsFrom(block, start)]).toEqual([
      ...this.#forest.accountsFrom(block, start),
    ]);
    expect([...this.#flat.slotsFrom(flat, { address, start })]).toEqual([
      ...this.#forest.slotsFrom(forest, { address, start }),
    ]);
  }

  async #verifyRoot(): Promise<void> {
    const trie = await createMPT();
    for (const address of ADDRESSES) {
      const { account } = this.#flat.prove(this.#head, { address, slots: [] });
      if (account !== undefined) await trie.put(keccak256(bytesOf(address)), encodeAccount(account));
    }
    expect(toHex(trie.root())).toBe(this.#head.stateRoot);
  }

  #any(): SealedHeader {
    return this.#blocks[this.#pick(this.#blocks.length)] ?? this.#head;
  }

  #find(hash: Hash): SealedHeader | undefined {
    return this.#blocks.find((block) => block.hash === hash);
  }

  #pick(count: number): number {
    return Math.floor(this.#random() * count);
  }
}

function openFlat(store: KeyValueStore): StateStore {
  return new StateStore(store, new FlatLayout({ store, proofBlocks: PER_CHAIN }));
}

function change(state: JournaledState, random: () => number): void {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  for (let changes = Math.floor(random() * 8); changes > 0; changes--) {
    const address = pick(ADDRESSES);
    const kind = random();
    if (kind < 0.3) state.setAccount(address, { balance: BigInt(Math.floor(random() * 3)) });
    else if (kind < 0.4) state.setAccount(address, { nonce: BigInt(Math.floor(random() * 3)) });
    else if (kind < 0.8) state.setStorage(address, pick(SLOTS), BigInt(Math.floor(random() * 3)));
    else if (kind < 0.85) state.setCode(address, Uint8Array.of(Math.floor(random() * 3)));
    else if (kind < 0.92) state.deleteAccount(address);
    else if (state.findAccount(address) !== undefined) state.clearStorage(address);
  }
}

function expectSame(a: JournaledState, b: JournaledState, address: Address): void {
  expect(a.findAccount(address)).toEqual(b.findAccount(address));
  expect(a.getCode(address)).toEqual(b.getCode(address));
  expect(a.hasStorage(address)).toBe(b.hasStorage(address));
  for (const slot of SLOTS) expect(a.getStorage(address, slot)).toBe(b.getStorage(address, slot));
}

function headerOf(fields: Pick<Header, "number" | "stateRoot"> & Partial<Header>): SealedHeader {
  const header: Header = {
    parentHash: ZERO_HASH,
    unclesHash: NO_UNCLES_HASH,
    coinbase: `0x${"00".repeat(20)}`,
    transactionsRoot: EMPTY_ROOT,
    receiptsRoot: EMPTY_ROOT,
    logsBloom: new Uint8Array(256),
    difficulty: 1n,
    gasLimit: 0n,
    gasUsed: 0n,
    timestamp: 0n,
    extraData: new Uint8Array(),
    mixHash: ZERO_HASH,
    nonce: new Uint8Array(8),
    ...fields,
  };
  const hash = fields.number < 0n ? ZERO_HASH : toHex(keccak256(encodeHeader(header)));
  return sealHeader(header, hash);
}

/** mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
