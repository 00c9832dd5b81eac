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
import { TABLES, type Table } from "@plinth/core/storage";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Pace } from "../state/state-source.js";
import { StateStore } from "../state/state-store.js";
import { bytesOf } from "../state/state-values.js";
import type { JournaledState } from "../state/world-state.js";
import { ChainStore } from "../store/chain-store.js";
import { FlatLayout } from "./flat-layout.js";
import type { HistorySettings } from "./flat-settings.js";
import { sideKey } from "./keys.js";

beforeAll(loadCrypto);

const CONTRACT: Address = `0x${"c0".repeat(20)}`;
const OTHER: Address = `0x${"0e".repeat(20)}`;
const SLOT: Hash = `0x${"51".repeat(32)}`;
const ALL: HistorySettings = { proofBlocks: 100 };

describe("a flat layout that removes history", () => {
  const settings = { history: 3, proofBlocks: 3 };

  it("keeps a slot that is set again while its removal is forgotten", async () => {
    const chain = await ChosenChain.create(settings);
    await chain.add(write(1n));
    await chain.add(write(0n));
    await chain.add(spend);
    await chain.add(spend);
    await chain.add(write(2n));

    chain.verify();
  });

  it("keeps an account that exists again while its removal is forgotten", async () => {
    const chain = await ChosenChain.create(settings);
    await chain.add((state) => state.setAccount(CONTRACT, { balance: 1n }));
    await chain.add((state) => state.deleteAccount(CONTRACT));
    await chain.add(spend);
    await chain.add(spend);
    await chain.add((state) => state.setAccount(CONTRACT, { balance: 2n }));

    chain.verify();
  });

  it.each([
    ["stays zero", spend],
    ["is set again", write(2n)],
  ])(
    "does not lose a slot of a state that is read after it was removed, if it %s",
    async (_, next) => {
      const chain = await ChosenChain.create(settings);
      const old = await chain.add(write(1n));
      await chain.add(write(0n));
      await chain.add(spend);
      await chain.add(spend);
      const states = [chain.open(old), chain.readerAt(old)];
      for (const state of states) state.findAccount(CONTRACT);
      await chain.add(spend);
      await chain.add(next);

      for (const state of states) {
        expect(() => state.getStorage(CONTRACT, SLOT)).toThrow(
          "the state of block 1 is no longer kept",
        );
      }
    },
  );
});

describe("a reorganization of a flat layout", () => {
  it("may add more blocks than are kept", async () => {
    const chain = await ChosenChain.create({ history: 3, proofBlocks: 3 });
    const fork = await chain.add(write(1n));
    await chain.add(write(2n));
    const blocks = [fork];
    for (let count = 0; count < 6; count++) {
      const on = blocks.at(-1) ?? fork;
      blocks.push(await chain.add({ on, isHead: false }, count === 4 ? write(3n) : spend));
    }

    await chain.setHead(blocks.at(-1) ?? fork);

    for (const block of blocks.slice(-4)) chain.verify(block);
    for (let count = 0; count < 6; count++) await chain.add(spend);
    expect(await chain.count(TABLES.stateChanges)).toBe(3);
    expect(await chain.count(TABLES.history)).toBe(3);
  });
});

describe("a state that is opened while a commit removes blocks", () => {
  it.each(["before it is written", "before the node learns that it was written"] as const)(
    "keeps the values of its block if it is opened %s",
    async (moment) => {
      const chain = await ChosenChain.create(ALL);
      const old = await chain.add(write(1n));
      const block = await chain.add(write(2n));
      const { write: commit, written } = chain.stageHead(old);

      const readers = [chain.open(block)];
      await commit();
      if (moment !== "before it is written") readers.splice(0, 1, chain.open(block));
      expect(readers[0]?.findAccount(CONTRACT)).toBeDefined();
      written();

      expect(readers[0]?.getStorage(CONTRACT, SLOT)).toBe(2n);
    },
  );

  it("has its own tries, though its block is still the head for the node", async () => {
    const chain = await ChosenChain.create(ALL);
    const old = await chain.add(write(1n));
    const block = await chain.add(write(2n));
    const { write: commit } = chain.stageHead(old);
    await commit();

    const verify = vi.fn();
    using _tries = await chain.prepareTries(block, { lane: "guest", verify });
    expect(verify).toHaveBeenCalled();
    chain.verifyProof(block);
  });
});

describe("a reader of a flat layout on another thread", () => {
  it("does not mistake a reorganization between two reads for damage", async () => {
    const chain = await ChosenChain.create(ALL);
    const old = await chain.add(write(1n));
    await chain.add(write(2n));
    const rewind = once(() => void chain.setHead(old));
    const reader = chain.openReader(old, (table) => {
      if (table === TABLES.history) rewind();
    });

    expect(reader.getStorage(CONTRACT, SLOT)).toBe(1n);
  });

  it("does not mistake a block that becomes canonical between two reads for damage", async () => {
    const chain = await ChosenChain.create(ALL);
    const old = await chain.add(write(1n));
    const block = await chain.add(write(2n));
    await chain.setHead(old);
    const advance = once(() => void chain.setHead(block));
    const reader = chain.openReader(block, (table) => {
      if (table === TABLES.sideChanges) advance();
    });

    expect(reader.getStorage(CONTRACT, SLOT)).toBe(2n);
  });

  it("reports damage that it finds during a reorganization", async () => {
    const chain = await ChosenChain.create(ALL);
    const old = await chain.add(write(1n));
    const head = await chain.add(write(2n));
    const damage = () => {
      void chain.setHead(old);
      void chain.forgetSide();
    };
    let reads = 0;
    let searches = 0;
    const open = () =>
      chain.openReader(head, (table) => {
        // The first one is to find the block, the second one to find out whether it is canonical.
        if (table === TABLES.canonical && ++searches === 2) damage();
        if (++reads > 100) throw new Error("reads without end");
      });

    expect(open).toThrow(/^the database is damaged: side-changes .* is missing$/);
  });
});

describe("a flat layout", () => {
  it("keeps blocks with the same root apart if their storage was cleared differently often", async () => {
    const chain = await ChosenChain.create(ALL);
    const fork = await chain.add(write(1n));
    const left = await chain.add(clear, write(2n), writeOther(9n));
    let right = await chain.add({ on: fork, isHead: false }, clear);
    right = await chain.add({ on: right, isHead: false }, write(3n), writeOther(6n));
    right = await chain.add({ on: right, isHead: false }, clear);
    right = await chain.add({ on: right, isHead: false }, write(2n), writeOther(9n));
    expect(right.stateRoot).toBe(left.stateRoot);

    const tip = await chain.add({ on: right, isHead: false }, write(4n));
    await chain.setHead(tip);

    chain.verify();
  });

  it("does not have the state of a head whose trie is gone", async () => {
    const chain = await ChosenChain.create(ALL);
    await chain.add(write(1n));
    expect(chain.hasState()).toBe(true);

    await chain.forgetTop();

    expect(chain.hasState()).toBe(false);
  });

  it("proves an earlier state with the root of the head", async () => {
    const chain = await ChosenChain.create(ALL);
    const old = await chain.add(write(1n), writeOther(1n));
    await chain.add(write(7n));
    await chain.add(clear);
    const head = await chain.add(write(1n), writeOther(1n));
    expect(head.stateRoot).toBe(old.stateRoot);

    chain.reopen({ isReader: true });

    chain.verifyProof(old);
  });

  it("does not show slots from before a state without accounts", async () => {
    const chain = await ChosenChain.create(ALL);
    await chain.add(write(1n), (state) => state.setStorage(CONTRACT, OTHER_SLOT, 5n));
    const empty = await chain.add((state) => state.deleteAccount(CONTRACT));
    expect(empty.stateRoot).toBe(EMPTY_ROOT);
    await chain.add(write(2n));

    chain.verify();
    chain.verifyProof(chain.head);
  });
});

const OTHER_SLOT: Hash = `0x${"52".repeat(32)}`;

type Change = (state: JournaledState) => void;

function write(value: bigint): Change {
  return (state) => state.setStorage(CONTRACT, SLOT, value);
}

function writeOther(value: bigint): Change {
  return (state) => state.setStorage(CONTRACT, OTHER_SLOT, value);
}

function clear(state: JournaledState): void {
  state.clearStorage(CONTRACT);
}

function spend(state: JournaledState): void {
  const nonce = state.findAccount(OTHER)?.nonce ?? 0n;
  state.setAccount(OTHER, { nonce: nonce + 1n });
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}

interface Placed {
  readonly on: SealedHeader;
  readonly isHead: boolean;
}

/** A chain of chosen blocks with both layouts in one database. */
class ChosenChain {
  readonly #store: KeyValueStore;
  readonly #settings: HistorySettings;
  readonly #chain: ChainStore;
  readonly #forest: StateStore;
  #flat: StateStore;
  readonly #blocks: SealedHeader[] = [];
  head: SealedHeader = headerOf({ number: -1n, stateRoot: EMPTY_ROOT });

  private constructor(store: KeyValueStore, settings: HistorySettings) {
    this.#store = store;
    this.#settings = settings;
    this.#chain = new ChainStore(store);
    this.#forest = new StateStore(store);
    this.#flat = this.#openFlat({});
  }

  static async create(settings: HistorySettings): Promise<ChosenChain> {
    const store = await createMemoryStorageDriver().open({ folder: "" });
    const chain = new ChosenChain(store, settings);
    await chain.add();
    return chain;
  }

  /** Adds a block with changes; on the head, and as the head, unless it is placed elsewhere. */
  async add(...parts: readonly (Change | Placed)[]): Promise<SealedHeader> {
    const changes = parts.filter((part) => typeof part === "function");
    const placed = parts.find((part) => typeof part === "object");
    const { on: parent, isHead } = placed ?? { on: this.head, isHead: true };
    const [forest, flat] = [this.#forest, this.#flat].map((states) => {
      const state = states.open(parent.number < 0n ? { stateRoot: EMPTY_ROOT } : parent);
      for (const change of changes) change(state);
      return states.update(state);
    });
    if (forest === undefined || flat === undefined) throw new Error("no states");
    expect(flat.root).toBe(forest.root);
    const header = headerOf({
      number: parent.number + 1n,
      parentHash: parent.hash,
      stateRoot: flat.root,
      extraData: Uint8Array.of(this.#blocks.length),
    });
    this.#blocks.push(header);
    this.#forest.add(forest);
    this.#flat.add(flat);
    const batch = this.#store.batch();
    batch.put("headers", bytesOf(header.hash), encodeHeader(header));
    const moved = isHead ? this.#move(batch, header) : undefined;
    const executed = { header, state: flat };
    const written = [
      this.#forest.writeTo(batch),
      this.#flat.writeTo(batch, { executed, ...(moved && { moved }) }),
    ];
    await batch.commit();
    for (const release of written) release();
    if (isHead) this.head = header;
    return header;
  }

  setHead(header: SealedHeader): Promise<void> {
    return this.stageHead(header).commit();
  }

  /** Prepares a commit that changes the head; call `written` when the node learns that it was written. */
  stageHead(header: SealedHeader) {
    const batch = this.#store.batch();
    const written = this.#flat.writeTo(batch, { moved: this.#move(batch, header) });
    return {
      write: () => batch.commit(),
      written,
      commit: async () => {
        await batch.commit();
        written();
        this.head = header;
      },
    };
  }

  open(block: SealedHeader): JournaledState {
    return this.#flat.open(block);
  }

  readerAt(block: SealedHeader): StateReader {
    return this.#flat.readerAt(block);
  }

  prepareTries(block: SealedHeader, pace: Pace): Promise<Disposable> {
    return this.#flat.prepareTries(this.#flat.open(block), pace);
  }

  /** Opens a state as another thread does; calls back before every read. */
  openReader(block: SealedHeader, onRead: (table: string) => void): JournaledState {
    const table = (name: string): Table => {
      const real = this.#store.table(name);
      return {
        get: (key) => real.get(key),
        iterate: (range) => real.iterate(range),
        getSync(key) {
          onRead(name);
          return real.getSync(key);
        },
      };
    };
    const store: KeyValueStore = {
      table,
      batch: () => this.#store.batch(),
      snapshot: () => this.#store.snapshot(),
      close: () => this.#store.close(),
    };
    const layout = new FlatLayout({ store, ...this.#settings, isReader: true });
    return new StateStore(store, layout).open(block);
  }

  hasState(): boolean {
    return this.#flat.has(this.head);
  }

  /** Damages the database. */
  async forgetTop(): Promise<void> {
    const batch = this.#store.batch();
    batch.delete(TABLES.accountNodes, new Uint8Array());
    await batch.commit();
  }

  /** Damages the database. */
  async forgetSide(): Promise<void> {
    const batch = this.#store.batch();
    for (const { number, hash } of this.#blocks) {
      batch.delete(TABLES.sideChanges, sideKey(number, hash));
    }
    await batch.commit();
  }

  async count(table: string): Promise<number> {
    let count = 0;
    for await (const _ of this.#store.table(table).iterate()) count += 1;
    return count;
  }

  /** Opens the states again, as after a start. */
  reopen(on: { readonly isReader?: boolean }): void {
    this.#flat = this.#openFlat(on);
  }

  /** Compares a state with that of the hash trie. */
  verify(block = this.head): void {
    const [flat, forest] = [this.#flat, this.#forest].map((states) =>
      contentOf(states.open(block)),
    );
    expect(flat).toEqual(forest);
    expect(contentOf(this.#flat.readerAt(block))).toEqual(forest);
  }

  /** Compares a proof with that of the hash trie. */
  verifyProof(block: SealedHeader): void {
    const request = { address: CONTRACT, slots: [SLOT, OTHER_SLOT] };
    const [flat, forest] = [this.#flat, this.#forest].map((states) => states.prove(block, request));
    expect(flat).toEqual(forest);
  }

  #move(batch: ReturnType<KeyValueStore["batch"]>, head: SealedHeader) {
    const removed: SealedHeader[] = [];
    const added: SealedHeader[] = [];
    let old = this.#find(this.head.hash);
    let next: SealedHeader | undefined = head;
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

  #find(hash: Hash): SealedHeader | undefined {
    return this.#blocks.find((block) => block.hash === hash);
  }

  #openFlat(on: { readonly isReader?: boolean }): StateStore {
    const layout = new FlatLayout({ store: this.#store, ...this.#settings, ...on });
    return new StateStore(this.#store, layout);
  }
}

function contentOf(state: StateReader) {
  return [CONTRACT, OTHER].map((address) => ({
    account: state.findAccount(address),
    slots: [SLOT, OTHER_SLOT].map((slot) => state.getStorage(address, slot)),
  }));
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
