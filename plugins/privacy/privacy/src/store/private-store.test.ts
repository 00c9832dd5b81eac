import { createMemoryStorageDriver, PluginTable } from "@plinth/core";
import { expect, it } from "vitest";
import { PrivateStore, type PrivateTables } from "./private-store.js";

const HASH = `0x${"ab".repeat(32)}` as const;
const PLACE = { group: new Uint8Array(32), number: 1n, blockHash: HASH };
const MARKERS = 500;
const MIB = 2 ** 20;

it("a payload named by many markers of a block is stored once, and read once", async () => {
  const written: (readonly [Uint8Array, Uint8Array | undefined])[] = [];
  const pending = {
    getSync: (key: Uint8Array) =>
      written.find(([known]) => Buffer.compare(known, key) === 0)?.[1] ?? undefined,
  };
  const progress = {
    async writeWith(changes: [object, [Uint8Array, Uint8Array][]][]) {
      for (const [table, entries] of changes) if (table === pending) written.push(...entries);
    },
  };
  const store = new PrivateStore({ pending, progress } as never as PrivateTables, {} as never);
  const [much, little] = [new Uint8Array(MIB).fill(1), Uint8Array.of(2)];
  const items = Array.from({ length: MARKERS }, (_, index) => ({
    marker: HASH,
    payload: index === 0 ? much : index === 7 ? little : 0,
    place: PLACE,
    index,
  }));

  await store.keep({
    cursor: { number: 1n, hash: HASH },
    items,
    dropped: [],
    unresolved: [],
    outdated: [],
    late: [],
    rerun: undefined,
  });

  const bytes = written.reduce((sum, [, value]) => sum + (value?.length ?? 0), 0);
  expect(bytes).toBeLessThan(2 * MIB);
  const entries = written.map(([key], index) => ({ ...PLACE, index, key }));
  const found = [...store.getPending(entries, 2 * MIB)].flat();
  expect(found.map(({ index }) => index)).toEqual(items.map(({ index }) => index));
  expect(found[7]?.payload).toEqual(little);
  expect(new Set(found.map(({ payload }) => payload)).size).toBe(2);
  expect(found[MARKERS - 1]?.payload).toHaveLength(MIB);
});

it("rewinding deletes the records of re-executed groups from their blocks on, and no others", async () => {
  const store = openStore(await openTables());
  const [a, b, c] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  for (const group of [a, b, c]) {
    for (const number of [1n, 5n, 9n]) {
      const place = { group, number, blockHash: HASH };
      await store.finish({
        place,
        entries: [],
        receipts: [],
        groupBlock: { root: HASH, markers: [] },
        done: [],
      });
    }
  }
  const until = { number: 9n, hash: HASH };

  await store.goBack(
    { number: 3n, hash: HASH },
    {
      until,
      isOfAll: false,
      groups: [
        { group: a, from: 9n },
        { group: b, from: 1n },
      ],
    },
  );

  const numbersOf = async (group: Uint8Array) => {
    const numbers: bigint[] = [];
    for await (const { number } of store.groupBlocks(group, { from: 0n, to: 9n })) {
      numbers.push(number);
    }
    return numbers;
  };
  expect(await numbersOf(a)).toEqual([1n, 5n]);
  expect(await numbersOf(b)).toEqual([1n]);
  expect(await numbersOf(c)).toEqual([1n, 5n, 9n]);
  expect(store.findCursor()).toEqual({ number: 3n, hash: HASH });
  expect((await store.groups()).map((group) => group[0])).toEqual([1, 2, 3]);
});

it("groups of the other kind are not executed, and stay when all groups are re-executed", async () => {
  const tables = await openTables();
  const [ordinary, flexible] = [false, true].map((isFlexible) => openStore(tables, isFlexible)) as [
    PrivateStore,
    PrivateStore,
  ];
  const finish = (store: PrivateStore, byte: number, roots: { roots?: readonly [typeof HASH] }) =>
    store.finish({
      place: { group: new Uint8Array(32).fill(byte), number: 1n, blockHash: HASH },
      entries: [],
      receipts: [],
      groupBlock: { root: HASH, markers: [HASH], ...roots },
      done: [],
    });
  await finish(ordinary, 1, {});
  await finish(flexible, 2, { roots: [HASH] });
  const numbersOf = async (store: PrivateStore) => (await store.groups()).map(([byte]) => byte);

  expect([await numbersOf(ordinary), await numbersOf(flexible)]).toEqual([[1], [2]]);
  const until = { number: 1n, hash: HASH };
  await ordinary.goBack({ number: 0n, hash: HASH }, { until, isOfAll: true, groups: [] });
  expect([await numbersOf(ordinary), await numbersOf(flexible)]).toEqual([[], [2]]);
});

/** In-memory tables. */
async function openTables(): Promise<PrivateTables> {
  const store = await createMemoryStorageDriver().open({ folder: "" });
  const table = (name: string) => new PluginTable({ plugin: "privacy", name }, () => store);
  return {
    state: table("state"),
    receipts: table("receipts"),
    groups: table("groups"),
    pending: table("pending"),
    progress: table("progress"),
    unresolved: table("unresolved"),
    histories: table("histories"),
  };
}

function openStore(tables: PrivateTables, isFlexible = false): PrivateStore {
  return new PrivateStore(tables, { findHeader: () => ({ hash: HASH }) } as never, { isFlexible });
}
