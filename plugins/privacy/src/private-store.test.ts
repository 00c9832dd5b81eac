import { expect, it } from "vitest";
import { PrivateStore, type PrivateTables } from "./private-store.js";

const HASH = `0x${"ab".repeat(32)}` as const;
const PLACE = { group: new Uint8Array(32), number: 1n, blockHash: HASH };
const MARKERS = 500;
const MIB = 2 ** 20;

it("a payload that many markers of a block name is kept once, and read once", async () => {
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
    payload: index === 7 ? little : much,
    place: PLACE,
    index,
  }));

  await store.keep({
    cursor: { number: 1n, hash: HASH },
    items,
    unresolved: [],
    outdated: [],
    late: [],
    rerun: undefined,
  });

  const bytes = written.reduce((sum, [, value]) => sum + (value?.length ?? 0), 0);
  expect(bytes).toBeLessThan(2 * MIB);
  const entries = written.map(([key], index) => ({ ...PLACE, index, key }));
  const found = store.getPending(entries);
  expect(found.map(({ index }) => index)).toEqual(items.map(({ index }) => index));
  expect(found[7]?.payload).toEqual(little);
  expect(new Set(found.map(({ payload }) => payload)).size).toBe(2);
  expect(found[MARKERS - 1]?.payload).toEqual(much);
});
