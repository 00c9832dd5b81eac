import {
  type Address,
  createMemoryStorageDriver,
  EMPTY_ROOT,
  type Header,
  type KeyValueStore,
  keccak256,
  loadCrypto,
  type SealedHeader,
  toHex,
  ZERO_HASH,
} from "@plinth/core";
import { encodeHeader, NO_UNCLES_HASH, sealHeader } from "@plinth/core/blocks";
import { TABLES } from "@plinth/core/storage";
import { beforeAll, expect, it } from "vitest";
import { StateStore } from "../../state/state-store.js";
import { bytesOf } from "../../state/state-values.js";
import { ChainStore } from "../../store/chain-store.js";
import { FlatLayout } from "../flat-layout.js";

beforeAll(loadCrypto);

it("keeps the tries of a block, and starts there for those of its neighbors", async () => {
  const { store, prove } = await createChain(40);

  prove(10);
  expect(store.countReads(TABLES.stateChanges)).toBe(30);
  prove(10);
  expect(store.countReads(TABLES.stateChanges)).toBe(0);
  prove(11);
  expect(store.countReads(TABLES.stateChanges)).toBe(1);
  prove(9);
  expect(store.countReads(TABLES.stateChanges)).toBe(2);
  prove(38);
  expect(store.countReads(TABLES.stateChanges)).toBe(2);
});

it("starts at the parent for a block off the canonical chain", async () => {
  const { store, add, blocks } = await createChain(40);
  const first = await add(blocks[10] as SealedHeader, { isSide: true });
  store.countReads(TABLES.stateChanges);

  const second = await add(first, { isSide: true });
  await add(second, { isSide: true });

  expect(store.countReads(TABLES.stateChanges)).toBe(0);
});

it("makes tries in steps, between which others run, and which can be aborted", async () => {
  const { store, states, blocks, prove } = await createChain(40);
  const state = states.open(blocks[1] as SealedHeader);
  let steps = 0;
  const verify = () => {
    if (++steps === 20) throw new Error("aborted");
  };

  await expect(states.prepareTries(state, { lane: "guest", verify })).rejects.toThrow("aborted");
  expect(store.openSnapshots()).toBe(0);

  const lent = await states.prepareTries(state, { lane: "guest", verify });
  expect(steps).toBeGreaterThan(60);
  store.countReads(TABLES.stateChanges);
  prove(30);
  prove(20);
  prove(35);
  store.countReads(TABLES.stateChanges);
  // It is lent, so nothing has moved it.
  prove(1);
  expect(store.countReads(TABLES.stateChanges)).toBe(0);
  lent[Symbol.dispose]();
  expect(store.openSnapshots()).toBeLessThanOrEqual(3);
});

const ADDRESSES = Array.from(
  { length: 40 },
  (_, n): Address => toHex(new Uint8Array(20).fill(n + 1)),
);

/** A chain whose blocks change every account. */
async function createChain(length: number) {
  const store = counting(await createMemoryStorageDriver().open({ folder: "" }));
  const states = new StateStore(store, new FlatLayout({ store, proofBlocks: 1_024 }));
  const chain = new ChainStore(store);
  const blocks: SealedHeader[] = [];
  async function add(parent: SealedHeader | undefined, { isSide = false } = {}) {
    const number = parent === undefined ? 0n : parent.number + 1n;
    const state = states.open(parent ?? { stateRoot: EMPTY_ROOT });
    for (const address of ADDRESSES) {
      state.setAccount(address, { balance: number + (isSide ? 100n : 1n) });
    }
    const update = states.update(state);
    const header = headerOf({
      number,
      parentHash: parent?.hash ?? ZERO_HASH,
      stateRoot: update.root,
    });
    const batch = store.batch();
    batch.put(TABLES.headers, bytesOf(header.hash), encodeHeader(header));
    const moved = { head: header, removed: [], added: [header] };
    if (!isSide) {
      chain.addToCanonical(batch, { header, body: { transactions: [], uncles: [] } });
      chain.setHead(batch, header.hash);
    }
    states.add(update);
    const executed = { header, state: update };
    const release = states.writeTo(batch, isSide ? { executed } : { executed, moved });
    await batch.commit();
    release();
    return header;
  }
  for (let number = 0; number <= length; number++) blocks.push(await add(blocks.at(-1)));
  const prove = (number: number) => {
    const request = { address: ADDRESSES[0] as Address, slots: [] };
    const { account } = states.prove(blocks[number] as SealedHeader, request);
    expect(account?.balance).toBe(BigInt(number) + 1n);
  };
  return { store, states, blocks, add, prove };
}

/** Counts reads of tables, and the snapshots that are open. */
function counting(store: KeyValueStore) {
  const reads = new Map<string, number>();
  let snapshots = 0;
  const countedTable = (source: Pick<KeyValueStore, "table">) => (name: string) => {
    const table = source.table(name);
    return {
      get: table.get.bind(table),
      iterate: table.iterate.bind(table),
      getSync(key: Uint8Array) {
        reads.set(name, (reads.get(name) ?? 0) + 1);
        return table.getSync(key);
      },
    };
  };
  return {
    table: countedTable(store),
    batch: () => store.batch(),
    close: () => store.close(),
    snapshot() {
      const snapshot = store.snapshot();
      let isOpen = true;
      snapshots += 1;
      return {
        table: countedTable(snapshot),
        close() {
          if (isOpen) snapshots -= 1;
          isOpen = false;
          snapshot.close();
        },
      };
    },
    openSnapshots: () => snapshots,
    /** The number of reads since the last call. */
    countReads(name: string): number {
      const count = reads.get(name) ?? 0;
      reads.delete(name);
      return count;
    },
  };
}

function headerOf(fields: Partial<Header>): SealedHeader {
  const header: Header = {
    number: 0n,
    stateRoot: EMPTY_ROOT,
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
  return sealHeader(header, toHex(keccak256(encodeHeader(header))));
}
