import { rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Address,
  createMemoryStorageDriver,
  EMPTY_ROOT,
  type Hash,
  type KeyValueStore,
  loadCrypto,
} from "@plinth/core";
import { TABLES } from "@plinth/core/storage";
import { createTempFolder } from "@plinth/testing";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { StateStore } from "../state/state-store.js";
import { entriesOfAlloc, readAccount } from "./alloc.js";
import { GenesisState } from "./genesis-state.js";

beforeAll(loadCrypto);

const openStore = () => createMemoryStorageDriver().open({ folder: "" });

describe("the state of block 0", () => {
  it("has the root and the entries of the same changes to an empty state", async () => {
    await using folder = await createTempFolder();
    await fc.assert(
      fc.asyncProperty(allocs(), async (members) => {
        const text = `{${members.map(([name, value]) => `"${name}":${JSON.stringify(value)}`)}}`;
        const expected = await applyChanges(JSON.parse(text));
        const inMemory = await create({ json: { alloc: JSON.parse(text) } });
        const inFile = await create(await readLarge(folder.path, `{"alloc":${text}}`));

        expect(inMemory).toEqual(expected);
        expect(inFile).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  it("includes accounts that plugins added to a large file, which replaces them", async () => {
    await using folder = await createTempFolder();
    const { alloc } = await readLarge(folder.path, '{"alloc":{"0x02":{"balance":"2"}}}');
    const added = { "0x01": { balance: "1" }, "0x02": { balance: "1", nonce: "1" } };

    expect(await create({ json: { alloc: added }, alloc })).toEqual(
      await create({ json: { alloc: { ...added, "0x02": { balance: "2" } } } }),
    );
  });

  it("is not built again from the same file, which is not read", async () => {
    await using folder = await createTempFolder();
    const genesis = await readLarge(folder.path, '{"alloc":{"01":{"balance":"1"},"0x01":{}}}');
    const store = await openStore();
    const root = await start(genesis, store, ["0x01"]);
    await rm(join(folder.path, "genesis.json"));

    expect(await start(genesis, store, ["0x01"])).toBe(root);
    await expect(start(genesis, store, ["0x02"])).rejects.toThrow("alloc cannot be read: ENOENT");
  });

  it("has the same facts for checks at a later start", async () => {
    await using folder = await createTempFolder();
    const code = "0x6001";
    const text = `{"alloc":{"01":{"balance":"7"},"0x${"01".padStart(40, "0")}":{"code":"${code}"}}}`;
    const genesis = await readLarge(folder.path, text);
    const store = await openStore();
    const seen: unknown[] = [];
    for (let round = 0; round < 2; round++) {
      await using state = new GenesisState({ genesis: { ...genesis, origin: "file" }, store });
      await state.check((facts) => {
        const { hasFunds, names } = facts;
        seen.push([{ hasFunds, names }, facts.get(addressOf(1)), facts.get(addressOf(2))]);
      });
      await state.create();
    }

    expect(seen[1]).toMatchObject([
      { hasFunds: true, names: ["01", `0x${"01".padStart(40, "0")}`] },
      { balance: 0n, code: Uint8Array.of(0x60, 0x01) },
      undefined,
    ]);
  });

  it("is built again once a file in memory has another account", async () => {
    const store = await openStore();
    const first = await start({ json: { alloc: { "01": { balance: "1" } } } }, store, []);
    const second = await start({ json: { alloc: { "01": { balance: "2" } } } }, store, []);

    expect(second).not.toBe(first);
  });

  it("is complete if a start with another file was interrupted in between", async () => {
    const format = "BONSAI";
    const [first, second] = ["1", "2"].map((balance) => ({
      json: { alloc: { "01": { balance, storage: { "0x1": "0x1" } } } },
      origin: "file",
    }));
    if (first === undefined || second === undefined) throw new Error("no files");
    const store = await openStore();
    await new GenesisState({ genesis: first, store, format }).create();
    const whole = await contentOf(store);
    const interrupted = new GenesisState({ genesis: second, store: endsAtPut(store), format });
    await expect(interrupted.create()).rejects.toThrow("the node ends");

    await new GenesisState({ genesis: first, store, format }).create();

    expect(await contentOf(store)).toEqual(whole);
  });

  it.each([
    ['{"01":{},"02":{"balance":"much"},"03":{}}', 'alloc.02.balance is "much"'],
    ['{"01":{},"02":[1,]}', "alloc.02 is not JSON"],
    ['{"01":{},"xyz":{}}', "alloc.xyz is not an address"],
    ['{"01":{} "02":{}}', 'alloc is not JSON: expected "," or "}"'],
  ])("names the account of a large file that is invalid: %s", async (text, message) => {
    await using folder = await createTempFolder();
    const genesis = await readLarge(folder.path, `{"alloc":${text}}`);
    const store = await openStore();

    await expect(create(genesis, store)).rejects.toThrow(message);
    expect(await contentOf(store)).toEqual([]);
  });

  it("is not built from a file that changes meanwhile", async () => {
    await using folder = await createTempFolder();
    const genesis = await readLarge(folder.path, '{"alloc":{"01":{"balance":"1"}}}');
    await utimes(join(folder.path, "genesis.json"), 1, 1);

    await expect(create(genesis)).rejects.toThrow("changed while it was read");
  });
});

type LargeGenesis = Omit<ConstructorParameters<typeof GenesisState>[0]["genesis"], "origin">;

async function readLarge(folder: string, text: string): Promise<LargeGenesis> {
  const path = join(folder, "genesis.json");
  await writeFile(path, text);
  const { mtimeMs: changedAt } = await stat(path);
  const offset = text.indexOf(":") + 1;
  const length = text.length - 1 - offset;
  return { json: {}, alloc: { path, offset, length, sha256: text, changedAt } };
}

/** Creates the state; returns its root and what was written. */
async function create(genesis: LargeGenesis, given?: KeyValueStore) {
  const store = given ?? (await openStore());
  await using state = new GenesisState({ genesis: { ...genesis, origin: "file" }, store });
  return { root: await state.create(), content: await contentOf(store) };
}

/** Checks some accounts and creates the state, like the start of a node. */
async function start(genesis: LargeGenesis, store: KeyValueStore, read: readonly string[]) {
  await using state = new GenesisState({ genesis: { ...genesis, origin: "file" }, store });
  await state.check((facts) => read.map((digits) => facts.get(addressOf(Number(digits)))));
  return await state.create();
}

/** What one update of an empty state writes. */
async function applyChanges(alloc: unknown): Promise<{ root: Hash; content: unknown }> {
  const store = await openStore();
  const states = new StateStore(store);
  const state = states.open({ stateRoot: EMPTY_ROOT });
  for (const [name, value] of entriesOfAlloc(alloc, "file")) {
    const { address, nonce, balance, code, storage } = readAccount(name, value, "file");
    state.setAccount(address, { nonce, balance });
    if (code.length > 0) state.setCode(address, code);
    for (const [slot, word] of storage) state.setStorage(address, slot, word);
  }
  const update = states.update(state);
  states.add(update);
  const batch = store.batch();
  states.writeTo(batch);
  await batch.commit();
  return { root: update.root, content: await contentOf(store) };
}

async function contentOf(store: KeyValueStore) {
  const content: string[] = [];
  const { accounts, slots, accountNodes, storageNodes } = TABLES;
  const flat = [accounts, slots, accountNodes, storageNodes];
  for (const table of [TABLES.trieNodes, TABLES.code, TABLES.preimages, ...flat]) {
    for await (const entry of store.table(table).iterate()) {
      content.push(`${table} ${entry.map((bytes) => Buffer.from(bytes).toString("hex")).join()}`);
    }
  }
  return content;
}

/** A store that fails when the first account is written. */
function endsAtPut(store: KeyValueStore): KeyValueStore {
  return {
    table: (name) => store.table(name),
    snapshot: () => store.snapshot(),
    close: () => store.close(),
    batch() {
      const batch = store.batch();
      return {
        delete: (table, key) => batch.delete(table, key),
        put(table, key, value) {
          if (table === TABLES.accounts) throw new Error("the node ends");
          batch.put(table, key, value);
        },
        commit: (options) => batch.commit(options),
      };
    },
  };
}

function addressOf(number: number): Address {
  return `0x${number.toString(16).padStart(40, "0")}`;
}

/** Accounts under names of which several may stand for one address, or be equal. */
function allocs() {
  const hex = fc.nat({ max: 0xffff }).map((value) => `0x${value.toString(16)}`);
  const name = fc
    .tuple(fc.nat({ max: 40 }), fc.constantFrom("", "0x", "0", "0x000"))
    .map(([value, prefix]) => `${prefix}${value.toString(16)}`);
  const account = fc.record(
    {
      balance: hex,
      nonce: hex,
      code: fc.constantFrom("0x", "0x60", `0x${"5b".repeat(40)}`),
      storage: fc.dictionary(hex, hex, { maxKeys: 6 }),
    },
    { requiredKeys: [] },
  );
  return fc.array(fc.tuple(name, account), { maxLength: 40 });
}
