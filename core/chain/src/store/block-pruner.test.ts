import type { KeyValueStore, SealedHeader } from "@plinth/core";
import { createMemoryStorageDriver, definePlugin, StorageError, toHex } from "@plinth/core";
import { BlockPruned } from "@plinth/core/chain";
import { TABLES } from "@plinth/core/storage";
import { createTestNode, transfer } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { BlockPruner } from "./block-pruner.js";
import { ChainStore } from "./chain-store.js";

const LAST = 6n;
const GONE =
  /the body and receipts of block 1 are no longer kept: --blocks-retained keeps those from block 3 on/;

describe("a chain that keeps the bodies of the last blocks", () => {
  it("has headers, numbers and difficulties of all, and bodies and receipts from the first kept block on", async () => {
    await using chain = await startChain();
    const transactions = chain.transactions();
    const [first, removed, kept] = await chain.prune(3);

    expect(chain.store.firstRetained()).toBe(3n);
    expect(first && chain.store.findBlock(first.hash)).toBeDefined();
    expect(kept && chain.store.findReceipts(kept.hash)).toHaveLength(1);
    expect(removed && chain.store.findHeader(removed.hash)).toEqual(removed);
    expect(removed && chain.store.findTotalDifficulty(removed.hash)).toBeDefined();
    expect(() => chain.blocks.findBlock(1n)).toThrow(GONE);
    expect(() => chain.blocks.findReceipts(removed?.hash ?? "0x")).toThrow(BlockPruned);
    expect(() => chain.blocks.findEncoded(removed?.hash ?? "0x")).toThrow(BlockPruned);
    expect(transactions.map((hash) => chain.store.findTransaction(hash) !== undefined)).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
    for (const table of [TABLES.bodies, TABLES.receipts]) {
      expect(await chain.count(table)).toBe(5);
    }
    expect(await chain.count(TABLES.senders)).toBe(4);
    expect(chain.problems()).toEqual([]);
  });

  it("refuses ranges with a removed block, and no other", async () => {
    await using chain = await startChain();
    await chain.prune(3);

    expect(() => chain.blocks.verifyRetained(0n, LAST)).toThrow(GONE);
    expect(() => chain.blocks.verifyRetained(2n, 2n)).toThrow(BlockPruned);
    expect(() => chain.blocks.verifyRetained(3n, LAST)).not.toThrow();
    expect(() => chain.blocks.verifyRetained(0n, 0n)).not.toThrow();
  });

  it("removes nothing if all are kept, or if the option is raised", async () => {
    await using chain = await startChain();
    await chain.prune(undefined);
    expect(chain.store.firstRetained()).toBe(0n);
    await chain.prune(3);
    await chain.prune(5);

    expect(chain.store.firstRetained()).toBe(3n);
    await chain.prune(undefined);
    expect(() => chain.blocks.findBlock(1n)).toThrow(GONE);
  });

  it("removes a limited number of blocks at a time after the option was lowered", async () => {
    await using chain = await startChain({ empty: 74 });
    await chain.prune(3);
    expect(chain.store.firstRetained()).toBe(65n);
    await chain.prune(3);

    expect(chain.store.firstRetained()).toBe(77n);
    expect(chain.problems()).toEqual([]);
  });

  it("removes few blocks with many transactions at a time, but more than are added", async () => {
    await using chain = await startChain();
    await chain.prune(1, { maxTransactions: 1 });
    expect(chain.store.firstRetained()).toBe(3n);
    await chain.prune(1, { maxTransactions: 1 });

    expect(chain.store.firstRetained()).toBe(5n);
  });

  it("removes a block whose body cannot be read, and those after it", async () => {
    await using chain = await startChain();
    await chain.prune(3, { damaged: 1n });

    expect(chain.store.firstRetained()).toBe(3n);
    expect(await chain.count(TABLES.bodies)).toBe(5);
    expect(await chain.count(TABLES.receipts)).toBe(5);
  });

  it("removes no block that a reorganization adds", async () => {
    await using chain = await startChain();
    await chain.prune(1, { added: 4 });

    expect(chain.store.firstRetained()).toBe(2n);
  });

  it("knows removed blocks, and rejects branches that begin before the first kept one", async () => {
    await using chain = await startChain();
    const old = chain.blocks.findBlock(1n);
    const parent = chain.blocks.findHeader(1n);
    const other = await chain.blocks.build({
      ...(parent && { parent }),
      timestamp: 2n ** 40n,
      candidates: [],
    });
    await chain.prune(3);

    expect(old && (await chain.blocks.import(old, { origin: "peer" }))).toMatchObject({
      placement: "known",
    });
    expect(await chain.count(TABLES.bodies)).toBe(5);
    await expect(chain.blocks.import(other.block, { origin: "peer" })).rejects.toThrow(
      "block 2 cannot be added: --blocks-retained keeps blocks from 3 on, and it forks off before",
    );
    await expect(chain.blocks.setHead(parent?.hash ?? "0x")).rejects.toThrow(GONE);
    expect(chain.blocks.head().number).toBe(LAST);
  });

  it("is damaged if the first kept block is above the head", async () => {
    await using chain = await startChain();
    await chain.prune(3);
    await chain.write((batch) => chain.store.setFirstRetained(batch, 9n));

    expect(chain.problems()[0]).toBe(
      "the bodies of blocks from 9 on are kept, although the head is below it",
    );
  });
});

/** A chain with a transaction in each of its first blocks, whose database is accessible to the test. */
async function startChain({ empty = 0 } = {}) {
  let opened: KeyValueStore | undefined;
  const memory = createMemoryStorageDriver();
  const shared = definePlugin({
    name: "shared-store",
    setup: ({ storage }) =>
      storage.driver({
        name: "shared",
        async open(place) {
          opened = await memory.open(place);
          return opened;
        },
      }),
  });
  const node = await createTestNode({
    plugins: [shared],
    options: { keyValueStorage: "shared" },
  });
  for (let made = 0; made < LAST; made++) await node.mine([transfer()]);
  for (let made = 0; made < empty; made++) await node.mine([]);
  const { blocks } = node.node;
  if (opened === undefined) throw new Error("the chain has no database");
  const database = opened;
  const store = new ChainStore(database);
  const write = async (fill: (batch: ReturnType<KeyValueStore["batch"]>) => void) => {
    const batch = database.batch();
    fill(batch);
    await batch.commit();
  };
  return {
    blocks,
    store,
    write,
    /** Removes what is no longer kept with the head; returns the headers of the first blocks. */
    async prune(
      retained: number | undefined,
      {
        added = 1,
        maxTransactions = 100,
        damaged,
      }: { added?: number; maxTransactions?: number; damaged?: bigint } = {},
    ): Promise<readonly SealedHeader[]> {
      const head = blocks.head();
      const change = {
        added: Array.from({ length: added }, () => ({ header: head, body: NO_BODY })),
      };
      // Another object, as after a restart.
      const source = damaged === undefined ? database : damagedAt(database, damaged);
      const pruner = new BlockPruner(new ChainStore(source), retained, maxTransactions);
      await write((batch) => pruner.prune(batch, head, change));
      return [0n, 1n, 3n].flatMap((number) => blocks.findHeader(number) ?? []);
    },
    transactions: () =>
      Array.from({ length: Number(LAST) }, (_, index) => {
        const hash = store.findHash(BigInt(index + 1)) ?? "0x";
        return store.findBlock(hash)?.body.transactions[0]?.hash ?? "0x";
      }),
    async count(table: string): Promise<number> {
      let entries = 0;
      for await (const _ of database.table(table).iterate()) entries += 1;
      return entries;
    },
    problems: () =>
      [...blocks.verifyBlocks()].flatMap(({ problems }) => problems.map(({ problem }) => problem)),
    [Symbol.asyncDispose]: () => node.stop(),
  };
}

/** A database in which the body of a block does not match its checksum. */
function damagedAt(database: KeyValueStore, number: bigint): KeyValueStore {
  const hash = new ChainStore(database).findHash(number);
  return {
    ...{ batch: () => database.batch(), snapshot: () => database.snapshot() },
    close: () => database.close(),
    table(name) {
      const table = database.table(name);
      if (name !== TABLES.bodies) return table;
      return {
        get: (key) => table.get(key),
        iterate: (range) => table.iterate(range),
        getSync(key) {
          if (toHex(key) !== hash) return table.getSync(key);
          throw new StorageError("STORAGE_DAMAGED", { message: "the checksum does not match" });
        },
      };
    },
  };
}

const NO_BODY = { transactions: [], uncles: [] };
