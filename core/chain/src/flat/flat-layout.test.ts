import { createMPT } from "@ethereumjs/mpt";
import {
  type Address,
  createMemoryStorageDriver,
  EMPTY_ROOT,
  type Hash,
  type Header,
  type KeyValueStore,
  keccak256,
  loadCrypto,
  type SealedHeader,
  type StateReader,
  toHex,
  ZERO_HASH,
} from "@plinth/core";
import { encodeHeader, NO_UNCLES_HASH, sealHeader } from "@plinth/core/blocks";
import { TABLES } from "@plinth/core/storage";
import { createRandom } from "@plinth/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { convertStates } from "../convert/convert-states.js";
import { StateStore } from "../state/state-store.js";
import { bytesOf, encodeAccount, textOf } from "../state/state-values.js";
import type { JournaledState } from "../state/world-state.js";
import { ChainStore } from "../store/chain-store.js";
import { verifyHistory } from "../verify/verify-history.js";
import { StateWalk } from "../verify/verify-state.js";
import { FlatLayout } from "./flat-layout.js";
import type { HistorySettings } from "./flat-settings.js";
import { accountOfPrefix, incarnationOfPrefix, prefixOfNode } from "./keys.js";
import { decodeRecord } from "./record.js";

beforeAll(loadCrypto);

/** `npm run long -- state` checks 100,000 blocks. */
const BLOCKS = Number(process.env.PLINTH_STATE_BLOCKS ?? 2_000);
const PER_CHAIN = 50;
const CONVERSIONS = BLOCKS / 250;
const SWEEPS = Math.max(3, BLOCKS / 1_000);
/** Slow machines take a fiftieth of a second for a block. */
const LIMIT_MS = 60_000 + BLOCKS * 20;

describe("the flat layout", { timeout: LIMIT_MS }, () => {
  it(`has the states of the hash trie after each of ${BLOCKS} blocks of random chains`, async () => {
    for (let seed = 1; seed <= BLOCKS / PER_CHAIN; seed++) {
      const chain = await RandomChain.create(seed, { proofBlocks: PER_CHAIN });
      await chain.run(PER_CHAIN);
    }
  });

  it("keeps the states of the last blocks, and nothing of earlier ones", async () => {
    const settings = { history: 12, proofBlocks: 8 };
    for (let seed = 1; seed <= 5; seed++) {
      const chain = await RandomChain.create(seed, settings);
      await chain.run(80);
      await chain.verifyPruned(settings);
    }
  });

  it("removes everything but the states of the last blocks, also after an option was lowered", async () => {
    const lower = { history: 12, proofBlocks: 8 };
    for (let seed = 1; seed <= SWEEPS; seed++) {
      const settings = seed % 3 === 0 ? { proofBlocks: PER_CHAIN } : lower;
      const chain = await RandomChain.create(seed, settings);
      await chain.run(80);
      await chain.reopen(lower).verifySwept();
    }
  });

  it("keeps the changed keys of as many blocks as can be removed", async () => {
    const chain = await RandomChain.create(1, { proofBlocks: 8 });
    await chain.run(60);

    expect(await chain.countEntries(TABLES.stateChanges)).toBeLessThanOrEqual(8);
    expect(() => chain.rewind(9)).toThrow(
      "9 blocks would be removed, and --history-proofs-blocks keeps the changes of 8",
    );
    expect(() => chain.prove(9)).toThrow("--history-proofs-blocks");
  });
});

describe("a database that is converted from hash tries, with interruptions", {
  timeout: LIMIT_MS,
}, () => {
  it("has the same states, and continues", async () => {
    for (let seed = 1; seed <= CONVERSIONS; seed++) {
      const chain = await RandomChain.create(seed, { proofBlocks: PER_CHAIN });
      await chain.run(PER_CHAIN);
      const converted = await chain.convert(seed);
      await converted.verifyDatabase();
      await converted.run(20);
    }
  });

  it("keeps the states of the last blocks only if the operator wants that", async () => {
    const settings = { history: 12, proofBlocks: 8 };
    for (let seed = 1; seed <= CONVERSIONS / 2; seed++) {
      const chain = await RandomChain.create(seed, { proofBlocks: PER_CHAIN });
      await chain.run(PER_CHAIN);
      const converted = await chain.convert(seed, settings);
      await converted.verifyDatabase();
      await converted.run(20);
    }
  });
});

/** Blocks after which the sweeper has seen every table several times. */
const SWEPT_AFTER = 200;
const ADDRESSES = Array.from(
  { length: 6 },
  (_, n): Address => toHex(new Uint8Array(20).fill(n + 1)),
);
const SLOTS = Array.from({ length: 6 }, (_, n): Hash => toHex(new Uint8Array(32).fill(n + 1)));

/** A chain with both layouts, and a random fork choice. */
class RandomChain {
  readonly #store: KeyValueStore;
  readonly #chain: ChainStore;
  /** The database with the hash tries: the same one, unless it was converted. */
  readonly #judge: KeyValueStore;
  readonly #forest: StateStore;
  #flat: StateStore;
  readonly #random: () => number;
  readonly #settings: HistorySettings;
  /** With few accounts, all of them are often deleted. */
  readonly #addresses: readonly Address[];
  #blocks: SealedHeader[] = [];
  #highest = 0n;
  #head: SealedHeader;

  private constructor(
    store: KeyValueStore,
    seed: number,
    settings: HistorySettings,
    judge: KeyValueStore = store,
  ) {
    this.#store = store;
    this.#judge = judge;
    this.#settings = settings;
    this.#addresses = ADDRESSES.slice(0, seed % 2 === 0 ? 2 : ADDRESSES.length);
    this.#chain = new ChainStore(store);
    this.#forest = new StateStore(judge);
    this.#flat = this.#openFlat();
    this.#random = createRandom(seed);
    this.#head = headerOf({ number: -1n, stateRoot: EMPTY_ROOT });
  }

  static async create(seed: number, settings: HistorySettings): Promise<RandomChain> {
    const store = await createMemoryStorageDriver().open({ folder: "" });
    const chain = new RandomChain(store, seed, settings);
    await chain.#add(chain.#head);
    return chain;
  }

  /** The same chain in a database that was converted from hash tries, with interruptions. */
  async convert(seed: number, settings = this.#settings): Promise<RandomChain> {
    const store = await createMemoryStorageDriver().open({ folder: "" });
    await this.#copyForest(store);
    const random = createRandom(seed);
    let failures = 0;
    for (let isDone = false; !isDone; ) {
      // A block that clears a storage takes several batches, and starts again after each failure.
      const commits = Math.floor(random() * (4 + failures / 20)) + 1;
      const faulty = failingAfter(store, commits, random() < 0.5);
      const run = convertStates({ ...settings, store: faulty, maxBatchBytes: 300 });
      isDone = await run.then(
        () => true,
        (error: unknown) => {
          expect(error).toBe(FAULT);
          failures += 1;
          return false;
        },
      );
    }
    expect(failures).toBeGreaterThan(0);
    expect(await countEntries(store, TABLES.trieNodes)).toBe(0);
    const chain = new RandomChain(store, seed, settings, this.#judge);
    chain.#blocks = [...this.#blocks];
    chain.#head = this.#head;
    chain.#highest = this.#head.number;
    return chain;
  }

  /** Copies what a database with hash tries has. */
  async #copyForest(target: KeyValueStore): Promise<void> {
    const { trieNodes, code, preimages, headers, canonical } = TABLES;
    const batch = target.batch();
    for (const table of [trieNodes, code, preimages, headers, canonical]) {
      for await (const entry of this.#store.table(table).iterate()) batch.put(table, ...entry);
    }
    this.#chain.setHead(batch, this.#head.hash);
    await batch.commit();
  }

  async run(blocks: number): Promise<void> {
    for (let block = 1; block < blocks; block++) {
      const step = this.#random();
      if (step < 0.8) await this.#add(this.#head);
      else if (step < 0.9) await this.#add(this.#any());
      else if (step < 0.97) await this.#setHead(this.#any());
      else this.#flat = this.#openFlat();
      if (this.#random() < 0.5) this.#verifyValues(this.#head);
      if (this.#random() < 0.2) this.#verifyValues(this.#any());
      if (this.#random() < 0.1) this.#verifyTries(this.#head);
      if (this.#random() < 0.03) this.#verifyTries(this.#any());
      if (this.#random() < 0.03) await this.#prepare(this.#any());
    }
    for (const block of this.#readable()) this.#verifyValues(block);
    await this.#verifyRoot();
    await this.verifyDatabase();
  }

  /** The same chain with other options. */
  reopen(settings: HistorySettings): RandomChain {
    const chain = new RandomChain(this.#store, 1, settings);
    chain.#blocks = this.#blocks;
    chain.#head = this.#head;
    chain.#highest = this.#highest;
    return chain;
  }

  /** Verifies that nothing is left but the state of the head, if blocks change nothing for a long time. */
  async verifySwept(): Promise<void> {
    for (let block = 0; block < SWEPT_AFTER; block++)
      await this.#add(this.#head, { isEmpty: true });
    const accounts = new Map<string, number>();
    for await (const [key, value] of this.#store.table(TABLES.accounts).iterate()) {
      const { body, incarnation } = decodeRecord(value);
      expect(body.length).toBeGreaterThan(0);
      accounts.set(textOf(key), incarnation);
    }
    for (const table of [TABLES.slots, TABLES.storageNodes]) {
      for await (const [key, value] of this.#store.table(table).iterate()) {
        const prefix = prefixOfNode(key);
        const account = accounts.get(textOf(accountOfPrefix(prefix)));
        expect(incarnationOfPrefix(prefix)).toBe(account);
        if (table === TABLES.slots) expect(decodeRecord(value).body.length).toBeGreaterThan(0);
      }
    }
    expect(await this.countEntries(TABLES.history)).toBe(0);
    expect(await this.countEntries(TABLES.sideChanges)).toBe(0);
    expect(await this.countEntries(TABLES.stateChanges)).toBeLessThanOrEqual(12);
    this.#verifyValues(this.#head);
    await this.verifyDatabase();
  }

  /** Adds a block on another one; it becomes the head if that was the head, or by chance. */
  async #add(parent: SealedHeader, { isEmpty = false } = {}): Promise<void> {
    const seed = this.#pick(2 ** 31);
    const [forest, flat] = [this.#forest, this.#flat].map((states) => {
      const state = states.open(parent.number < 0n ? { stateRoot: EMPTY_ROOT } : parent);
      if (!isEmpty) change(state, createRandom(seed), this.#addresses);
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
    const tries = this.#judge.batch();
    const written = [
      this.#forest.writeTo(tries),
      await this.#flat.writeInTurns(batch, { executed, ...(moved && { moved }) }),
    ];
    await tries.commit();
    await batch.commit();
    for (const release of written) release();
    this.#blocks.push(header);
    if (isHead && header.number > this.#highest) this.#highest = header.number;
    if (isHead) this.#head = header;
  }

  async #setHead(header: SealedHeader): Promise<void> {
    const opened = [this.#flat.open(this.#head), this.#flat.readerAt(this.#head)];
    const before = this.#forest.open(this.#head);
    const batch = this.#store.batch();
    const moved = this.#move(batch, header);
    const release = await this.#flat.writeInTurns(batch, { moved });
    await batch.commit();
    release();
    this.#head = header;
    // They were opened before the head moved.
    for (const state of opened) expectSameReads(state, before);
  }

  #move(batch: ReturnType<KeyValueStore["batch"]>, head: SealedHeader) {
    const removed: SealedHeader[] = [];
    const added: SealedHeader[] = [];
    let [old, next]: (SealedHeader | undefined)[] = [
      this.#blocks.length > 0 ? this.#head : undefined,
      head,
    ];
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

  #verifyValues(block: SealedHeader): void {
    const [flat, forest] = [this.#flat.open(block), this.#forest.open(block)];
    expectSameReads(flat, forest);
    expectSameReads(this.#flat.readerAt(block), forest);
    for (const address of ADDRESSES) {
      expect(flat.hasStorage(address)).toBe(forest.hasStorage(address));
    }
  }

  #verifyTries(block: SealedHeader): void {
    const address = ADDRESSES[this.#pick(ADDRESSES.length)] as Address;
    const start = ZERO_HASH;
    const [flat, forest] = [this.#flat, this.#forest].map((states) => ({
      proof: states.prove(block, { address, slots: SLOTS }),
      accounts: [...states.accountsFrom(block, start)],
      slots: [...states.slotsFrom(states.open(block), { address, start })],
    }));
    expect(flat).toEqual(forest);
  }

  /** Verifies tries that were made in steps, while the head moved. */
  async #prepare(block: SealedHeader): Promise<void> {
    const state = this.#flat.open(block);
    const preparing = this.#flat.prepareTries(state, { lane: "guest" });
    if (this.#random() < 0.5) await this.#add(this.#head);
    using _tries = await preparing;
    this.#verifyTries(block);
  }

  async #verifyRoot(): Promise<void> {
    const trie = await createMPT();
    for (const address of ADDRESSES) {
      const { account } = this.#flat.prove(this.#head, { address, slots: [] });
      if (account !== undefined)
        await trie.put(keccak256(bytesOf(address)), encodeAccount(account));
    }
    expect(toHex(trie.root())).toBe(this.#head.stateRoot);
  }

  /** Rewinds the head by some blocks. */
  rewind(blocks: number): void {
    const batch = this.#store.batch();
    this.#flat.writeTo(batch, { moved: this.#move(batch, this.#ancestor(blocks)) });
  }

  /** Proves an account, some blocks before the head. */
  prove(blocks: number): void {
    this.#flat.prove(this.#ancestor(blocks), { address: ADDRESSES[0] as Address, slots: [] });
  }

  async verifyPruned({ history = 0 }: HistorySettings): Promise<void> {
    const old = this.#ancestor(history + 1);
    expect(this.#flat.has(old)).toBe(false);
    expect(() => this.#flat.open(old)).toThrow(
      `the state of block ${old.number} is no longer kept: --history keeps those from block `,
    );
    const keys = ADDRESSES.length * (SLOTS.length + 1);
    expect(await this.countEntries(TABLES.history)).toBeLessThan(keys * history);
    expect(await this.countEntries(TABLES.stateChanges)).toBeLessThanOrEqual(history);
  }

  countEntries(table: string): Promise<number> {
    return countEntries(this.#store, table);
  }

  /** Verifies the whole database, as `db verify --full` does. */
  async verifyDatabase(): Promise<void> {
    const problems: unknown[] = [];
    for await (const item of new StateWalk(this.#store).runAll(this.#head)) {
      problems.push(...item.problems);
    }
    for await (const item of verifyHistory(this.#store, this.#head)) {
      problems.push(...item.problems);
    }
    expect(problems).toEqual([]);
  }

  #ancestor(blocks: number): SealedHeader {
    let block = this.#head;
    for (let step = 0; step < blocks; step++) block = this.#find(block.parentHash) ?? block;
    return block;
  }

  /** All blocks, or the last ones of the chain if earlier states are not kept. */
  #readable(): readonly SealedHeader[] {
    const { history, proofBlocks } = this.#settings;
    if (history === undefined && proofBlocks >= PER_CHAIN) return this.#blocks;
    // After a rewind, the states before the earlier head are not there again.
    return Array.from({ length: proofBlocks }, (_, blocks) => this.#ancestor(blocks)).filter(
      (block) => this.#blocks.length > 0 && block.number >= this.#highest - BigInt(proofBlocks),
    );
  }

  #any(): SealedHeader {
    const blocks = this.#readable();
    return blocks[this.#pick(blocks.length)] ?? this.#head;
  }

  #openFlat(): StateStore {
    const layout = new FlatLayout({ store: this.#store, ...this.#settings });
    return new StateStore(this.#store, layout);
  }

  #find(hash: Hash): SealedHeader | undefined {
    return this.#blocks.find((block) => block.hash === hash);
  }

  #pick(count: number): number {
    return Math.floor(this.#random() * count);
  }
}

const FAULT = new Error("the disk is full");

/** A store that fails with the nth commit, before or after it is written. */
function failingAfter(store: KeyValueStore, commits: number, isWritten: boolean): KeyValueStore {
  let left = commits;
  return {
    table: (name) => store.table(name),
    snapshot: () => store.snapshot(),
    close: () => store.close(),
    batch() {
      const batch = store.batch();
      return {
        put: (...entry) => batch.put(...entry),
        delete: (...entry) => batch.delete(...entry),
        async commit() {
          left -= 1;
          if (left > 0 || isWritten) await batch.commit();
          if (left <= 0) throw FAULT;
        },
      };
    },
  };
}

async function countEntries(store: KeyValueStore, table: string): Promise<number> {
  let count = 0;
  for await (const _ of store.table(table).iterate()) count += 1;
  return count;
}

function change(state: JournaledState, random: () => number, addresses: readonly Address[]): void {
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  for (let changes = Math.floor(random() * 8); changes > 0; changes--) {
    const address = pick(addresses);
    const kind = random();
    if (kind < 0.3) state.setAccount(address, { balance: BigInt(Math.floor(random() * 3)) });
    else if (kind < 0.4) state.setAccount(address, { nonce: BigInt(Math.floor(random() * 3)) });
    else if (kind < 0.8) state.setStorage(address, pick(SLOTS), BigInt(Math.floor(random() * 3)));
    else if (kind < 0.85) state.setCode(address, Uint8Array.of(Math.floor(random() * 3)));
    else if (kind < 0.92) state.deleteAccount(address);
    else if (state.findAccount(address) !== undefined) state.clearStorage(address);
  }
}

function expectSameReads(a: StateReader, b: StateReader): void {
  for (const address of ADDRESSES) expect(contentOf(a, address)).toBe(contentOf(b, address));
}

/** Everything that is read of an account, as text: comparing it costs less. */
function contentOf(state: StateReader, address: Address): string {
  const { nonce, balance, codeHash } = state.findAccount(address) ?? {};
  const slots = SLOTS.map((slot) => state.getStorage(address, slot));
  return [nonce, balance, codeHash, state.getCode(address), ...slots].join();
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
