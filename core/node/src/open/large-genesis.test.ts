import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Address, KeyValueStore } from "@plinth/core";
import { createMemoryStorageDriver, definePlugin } from "@plinth/core";
import { TABLES, type WriteBatch } from "@plinth/core/storage";
import { createTempFolder, devChain } from "@plinth/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createNode } from "../run/create-node.js";

const MANY = 8_000;
const FEW = 500;
/** A file is large from here on. */
const LARGE_BYTES = 4.5 * 1024 * 1024;

let folder: Awaited<ReturnType<typeof createTempFolder>>;
let few: string;

beforeAll(async () => {
  folder = await createTempFolder();
  few = await write("few.json", createGenesis(FEW));
});

afterAll(() => folder[Symbol.asyncDispose]());

describe("a large genesis file", () => {
  it("of 8,000 accounts has the block 0 of the same JSON in memory, also after a failed write", async () => {
    const genesis = createGenesis(MANY);
    const inMemory = await start(createDisk(), { genesis });
    const disk = createDisk({ failAt: 3 });
    const genesisFile = await write("many.json", genesis);

    await expect(start(disk, { genesisFile })).rejects.toThrow("no space left");
    expect(disk.stateEntries()).toBeGreaterThan(0);
    expect(disk.hasBlock()).toBe(false);
    disk.repair();
    const inFile = await start(disk, { genesisFile });

    expect(inFile.stateRoot).toBe(inMemory.stateRoot);
    expect(inFile.blocks.stateAt(inFile).findAccount(nameOf(MANY - 1))?.balance).toBe(BigInt(MANY));
    expect(disk.largestBatch()).toBeLessThan(disk.stateEntries());
  });

  it("is complete after each write that failed", async () => {
    const { stateRoot } = await start(createDisk(), { genesisFile: few });
    // The state, and block 0.
    for (const failAt of [1, 2]) {
      for (const isWritten of [true, false]) {
        const disk = createDisk({ failAt, isWritten });
        await expect(start(disk, { genesisFile: few })).rejects.toThrow("no space left");
        disk.repair();

        const { blocks, ...head } = await start(disk, { genesisFile: few });

        expect(head.stateRoot).toBe(stateRoot);
        expect([...blocks.verifyState()].flatMap(({ problems }) => problems)).toEqual([]);
      }
    }
  });

  it("is not completed by a start that is stopped, but by the next one", async () => {
    const disk = createDisk();
    const node = await createCounted(disk, { genesisFile: few });
    disk.onWrite(() => void node.stop("SIGTERM"));

    await expect(node.start()).rejects.toThrow("the node was stopped while it was opened");
    expect(await node.ended).toEqual({ reason: "SIGTERM" });
    expect(disk.hasBlock()).toBe(false);

    const { stateRoot } = await start(createDisk(), { genesisFile: few });
    expect((await start(disk, { genesisFile: few })).stateRoot).toBe(stateRoot);
  });

  it("is not kept in memory", async () => {
    const disk = createDisk();
    await start(disk, { genesisFile: few });

    expect(disk.genesis()).toEqual({ config: { chainId: 7, dev: {} } });
  });

  it("is not written again by a later start", async () => {
    const disk = createDisk();
    const first = await start(disk, { genesisFile: few });
    const before = disk.stateEntries();

    const second = await start(disk, { genesisFile: few });

    expect(second.hash).toBe(first.hash);
    expect(before).toBeGreaterThan(FEW);
    expect(disk.stateEntries()).toBe(before);
  });

  it("is refused if it was changed, and the database keeps its chain", async () => {
    const disk = createDisk();
    const { hash } = await start(disk, { genesisFile: few });
    const changed = createGenesis(FEW);
    changed.alloc[nameOf(7)] = { balance: "7" };
    const before = disk.stateEntries();

    await expect(
      start(disk, { genesisFile: await write("changed.json", changed) }),
    ).rejects.toMatchObject({ code: "GENESIS_MISMATCH" });
    expect(disk.stateEntries()).toBe(before);
    expect((await start(disk, { genesisFile: few })).hash).toBe(hash);
  });

  it("is accepted with other bytes and the same accounts", async () => {
    const disk = createDisk();
    const { hash } = await start(disk, { genesisFile: few });
    const { alloc, ...rest } = createGenesis(FEW);
    const reversed = Object.fromEntries(Object.entries(alloc).reverse());

    const again = await write("reversed.json", { ...rest, alloc: reversed });

    expect((await start(disk, { genesisFile: again })).hash).toBe(hash);
  });

  it("is refused with the name of an invalid account, and nothing is written", async () => {
    const disk = createDisk();
    const genesis = createGenesis(FEW);
    const name = nameOf(FEW / 2);
    genesis.alloc[name] = { balance: "much" };

    await expect(
      start(disk, { genesisFile: await write("invalid.json", genesis) }),
    ).rejects.toMatchObject({
      code: "GENESIS_INVALID",
      message: expect.stringContaining(`invalid.json: alloc.${name}.balance is "much"; expected`),
    });
    expect(disk.stateEntries()).toBe(0);
  });
});

async function write(name: string, genesis: object): Promise<string> {
  const path = join(folder.path, name);
  await writeFile(path, JSON.stringify(genesis));
  return path;
}

function nameOf(index: number): Address {
  return `0x${(index + 1).toString(16).padStart(40, "a")}`;
}

/** Accounts with comments, which make the file a large one. */
function createGenesis(accounts: number) {
  const comment = "x".repeat(LARGE_BYTES / accounts);
  const alloc: Record<string, object> = Object.fromEntries(
    Array.from({ length: accounts }, (_, at) => [nameOf(at), { balance: String(at + 1), comment }]),
  );
  return { config: { chainId: 7, dev: {} }, alloc };
}

/** Starts a node and stops it; returns its head, and its blocks, which can still be read. */
async function start(disk: ReturnType<typeof createDisk>, source: GenesisSource) {
  const node = await createCounted(disk, source);
  try {
    await node.start();
    const { blocks } = node;
    return { ...blocks.head(), blocks };
  } finally {
    await node.stop();
  }
}

interface GenesisSource {
  readonly genesis?: object;
  readonly genesisFile?: string;
}

function createCounted(
  disk: ReturnType<typeof createDisk>,
  { genesis, genesisFile }: GenesisSource,
) {
  return createNode({
    plugins: [disk.plugin, ...devChain],
    options: { keyValueStorage: "counted", ...(genesis === undefined ? { genesisFile } : {}) },
    genesis,
  });
}

/** A database in memory that counts what is written, and fails at one write. */
function createDisk({ failAt = 0, isWritten = false } = {}) {
  let opened: Promise<KeyValueStore> | undefined;
  let genesis: object = {};
  let onWrite = () => {};
  let [writes, largest, states, hasBlock] = [0, 0, 0, false];
  const counting = (batch: WriteBatch): WriteBatch => {
    const tables: string[] = [];
    return {
      put(table, ...entry) {
        tables.push(table);
        batch.put(table, ...entry);
      },
      delete: (...entry) => batch.delete(...entry),
      async commit(options) {
        writes += 1;
        onWrite();
        if (writes !== failAt || isWritten) await batch.commit(options);
        if (writes === failAt) throw new Error("no space left on the disk");
        largest = Math.max(largest, tables.length);
        states += tables.filter((table) => table === TABLES.accountNodes).length;
        hasBlock ||= tables.includes(TABLES.headers);
      },
    };
  };
  const plugin = definePlugin({
    name: "counted-disk",
    setup({ storage, onStart }) {
      storage.driver({
        name: "counted",
        async open(place) {
          opened ??= createMemoryStorageDriver().open(place);
          const store = await opened;
          return {
            table: (name) => store.table(name),
            snapshot: () => store.snapshot(),
            batch: () => counting(store.batch()),
            close: async () => {},
          };
        },
      });
      onStart(({ chain }) => {
        genesis = chain.genesis;
      });
    },
  });
  return {
    plugin,
    genesis: () => genesis,
    largestBatch: () => largest,
    stateEntries: () => states,
    hasBlock: () => hasBlock,
    onWrite(callback: () => void) {
      onWrite = callback;
    },
    repair() {
      writes = Number.NEGATIVE_INFINITY;
    },
  };
}
