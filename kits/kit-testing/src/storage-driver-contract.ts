import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KeyValueStore, StorageDriver } from "@plinth/core";
import type { Entry, KeyRange, Snapshot, Table } from "@plinth/core/storage";
import type * as Vitest from "vitest";

/**
 * The part of vitest that a contract uses; passed in, so that importing this does not require it.
 */
export type Suite = Pick<typeof Vitest, "describe" | "expect" | "it">;

/** The contract of every storage driver, as tests; call it in a test file of the driver. */
export function storageDriverContract(
  { describe, expect, it }: Suite,
  name: string,
  createDriver: () => StorageDriver,
): void {
  /** An empty store in its own folder; closed and removed at the end of the test. */
  const openStore = async (): Promise<OpenStore> => {
    const folder = await mkdtemp(join(tmpdir(), "plinth-storage-"));
    const store = await createDriver().open({ folder });
    return {
      store,
      async [Symbol.asyncDispose]() {
        await store.close();
        await rm(folder, { recursive: true });
      },
    };
  };

  const expectRefused = async (table: Table, code: string): Promise<void> => {
    expect(() => table.getSync(bytes("one"))).toThrow(expect.objectContaining({ code }));
    await expect(table.get(bytes("one"))).rejects.toMatchObject({ code });
    await expect(table.iterate().next()).rejects.toMatchObject({ code });
  };

  describe(`storage driver ${name}`, () => {
    it("has a name an operator can type", () => {
      expect(createDriver().name).toMatch(/^[a-z][a-z0-9-]*$/);
    });

    describe("reads", () => {
      it("returns what was written, with and without blocking", async () => {
        await using opened = await openStore();
        await put(opened.store, "blocks", { one: "1" });
        const table = opened.store.table("blocks");

        expect(table.getSync(bytes("one"))).toEqual(bytes("1"));
        expect(await table.get(bytes("one"))).toEqual(bytes("1"));
      });

      it("returns undefined for a missing key", async () => {
        await using opened = await openStore();
        await put(opened.store, "blocks", { one: "1" });
        const table = opened.store.table("blocks");

        expect(table.getSync(bytes("two"))).toBeUndefined();
        expect(await table.get(bytes("two"))).toBeUndefined();
        expect(opened.store.table("never-written").getSync(bytes("one"))).toBeUndefined();
      });

      it("distinguishes an empty value from none, and accepts an empty key", async () => {
        await using opened = await openStore();
        await put(opened.store, "blocks", { "": "nameless", empty: "" });
        const table = opened.store.table("blocks");

        expect(table.getSync(bytes("empty"))).toEqual(bytes(""));
        expect(await table.get(bytes("empty"))).toEqual(bytes(""));
        expect(table.getSync(bytes(""))).toEqual(bytes("nameless"));
      });

      it("keeps keys and values of any bytes", async () => {
        await using opened = await openStore();
        const every = Uint8Array.from({ length: 256 }, (_, byte) => byte);
        const keys = [[0x00], [0x00, 0x00], [0x00, 0xff], [0xff], [0xff, 0x00], [0xff, 0xff]];
        const batch = opened.store.batch();
        for (const key of keys) batch.put("blocks", Uint8Array.from(key), Uint8Array.from(key));
        batch.put("blocks", every, every);
        await batch.commit();
        const table = opened.store.table("blocks");

        for (const key of keys) {
          expect(table.getSync(Uint8Array.from(key))).toEqual(Uint8Array.from(key));
        }
        expect(table.getSync(every)).toEqual(every);
        expect((await entriesOf(table)).map(([key]) => [...key])).toEqual([
          [0x00],
          [0x00, 0x00],
          [...every],
          [0x00, 0xff],
          [0xff],
          [0xff, 0x00],
          [0xff, 0xff],
        ]);
      });

      it("returns plain bytes, not buffers", async () => {
        await using opened = await openStore();
        await put(opened.store, "blocks", { one: "1" });
        const table = opened.store.table("blocks");
        const [entry] = await entriesOf(table);

        for (const found of [
          table.getSync(bytes("one")),
          await table.get(bytes("one")),
          ...(entry ?? []),
        ]) {
          expect(found?.constructor).toBe(Uint8Array);
        }
      });
    });

    describe("tables", () => {
      it("are separate, also if the name of one is a prefix of another", async () => {
        await using opened = await openStore();
        const names = ["a", "a.b", "a-b", "ab", "b"];
        const batch = opened.store.batch();
        for (const name of names) {
          batch.put(name, bytes("key"), bytes(name));
          batch.put(name, bytes("b"), bytes(name));
        }
        await batch.commit();

        for (const name of names) {
          const table = opened.store.table(name);
          expect(table.getSync(bytes("key"))).toEqual(bytes(name));
          expect(await textOf(table)).toEqual([`b=${name}`, `key=${name}`]);
          expect(await textOf(table, { reverse: true })).toEqual([`key=${name}`, `b=${name}`]);
        }
      });

      it("lose nothing if a key of another is deleted", async () => {
        await using opened = await openStore();
        await put(opened.store, "a", { key: "1" });
        await put(opened.store, "b", { key: "2" });

        const batch = opened.store.batch();
        batch.delete("a", bytes("key"));
        await batch.commit();

        expect(opened.store.table("a").getSync(bytes("key"))).toBeUndefined();
        expect(opened.store.table("b").getSync(bytes("key"))).toEqual(bytes("2"));
      });

      it("are listed with their sizes if they have entries and the driver has an estimate", async () => {
        await using opened = await openStore();
        const { store } = opened;
        for (const name of ["b", "a", "a.b", "empty"]) await put(store, name, { key: "1" });
        const batch = store.batch();
        batch.delete("empty", bytes("key"));
        await batch.commit();

        const sizes = await store.tableSizes?.();

        if (sizes === undefined) return;
        expect([...sizes.keys()].sort()).toEqual(["a", "a.b", "b"]);
        for (const size of sizes.values()) expect(size).toBeGreaterThanOrEqual(0);
      });

      it.each(["", "Blocks", "a b", "a\0b", ".a", "a.", "a--b", "ä"])(
        'are not opened under the name "%s"',
        async (name) => {
          await using opened = await openStore();
          const { store } = opened;
          const snapshot = store.snapshot();
          const code = "TABLE_NAME_INVALID";

          expect(() => store.table(name)).toThrow(expect.objectContaining({ code }));
          expect(() => snapshot.table(name)).toThrow(expect.objectContaining({ code }));
          expect(() => store.batch().put(name, bytes("key"), bytes("1"))).toThrow(
            expect.objectContaining({ code }),
          );
          expect(() => store.batch().delete(name, bytes("key"))).toThrow(
            expect.objectContaining({ code }),
          );
          snapshot.close();
        },
      );
    });

    describe("batches", () => {
      it("write nothing before they are committed", async () => {
        await using opened = await openStore();
        const batch = opened.store.batch();
        batch.put("blocks", bytes("one"), bytes("1"));

        expect(opened.store.table("blocks").getSync(bytes("one"))).toBeUndefined();
      });

      it("write to several tables at once", async () => {
        await using opened = await openStore();
        await put(opened.store, "receipts", { old: "0" });
        const batch = opened.store.batch();
        batch.put("blocks", bytes("one"), bytes("1"));
        batch.put("receipts", bytes("one"), bytes("1"));
        batch.delete("receipts", bytes("old"));

        await batch.commit();

        expect(await textOf(opened.store.table("blocks"))).toEqual(["one=1"]);
        expect(await textOf(opened.store.table("receipts"))).toEqual(["one=1"]);
      });

      it("are visible as a whole or not at all", async () => {
        await using opened = await openStore();
        const { store } = opened;
        const sizes = new Set<number>();
        const batch = store.batch();
        for (let n = 0; n < 1000; n++) batch.put(n % 2 ? "odd" : "even", numberKey(n), bytes("1"));

        let isWritten = false;
        const written = batch.commit().finally(() => {
          isWritten = true;
        });
        do {
          const snapshot = store.snapshot();
          const odd = await entriesOf(snapshot.table("odd"));
          const even = await entriesOf(snapshot.table("even"));
          sizes.add(odd.length + even.length);
          snapshot.close();
        } while (!isWritten);
        await written;

        expect([0, 1000]).toEqual(expect.arrayContaining([...sizes]));
      });

      it("apply changes of one key in order", async () => {
        await using opened = await openStore();
        const batch = opened.store.batch();
        batch.put("blocks", bytes("gone"), bytes("1"));
        batch.delete("blocks", bytes("gone"));
        batch.delete("blocks", bytes("stays"));
        batch.put("blocks", bytes("stays"), bytes("1"));
        batch.put("blocks", bytes("stays"), bytes("2"));

        await batch.commit();

        expect(await textOf(opened.store.table("blocks"))).toEqual(["stays=2"]);
      });

      it("delete missing keys without an error", async () => {
        await using opened = await openStore();
        const batch = opened.store.batch();
        batch.delete("blocks", bytes("one"));

        await expect(batch.commit()).resolves.toBeUndefined();
      });

      it("may be empty", async () => {
        await using opened = await openStore();

        await expect(opened.store.batch().commit()).resolves.toBeUndefined();
        await expect(opened.store.batch().commit({ durable: true })).resolves.toBeUndefined();
      });

      it("can be committed durably", async () => {
        await using opened = await openStore();
        const batch = opened.store.batch();
        batch.put("blocks", bytes("one"), bytes("1"));

        await batch.commit({ durable: true });

        expect(opened.store.table("blocks").getSync(bytes("one"))).toEqual(bytes("1"));
      });

      it("are written in the order in which they were committed", async () => {
        await using opened = await openStore();
        const { store } = opened;
        const commit = (n: number) => {
          const batch = store.batch();
          batch.put("blocks", bytes("head"), bytes(`${n}`));
          return batch.commit();
        };

        // Many rounds: a driver that leaves the order to its threads gets it right most of the
        // time.
        const heads = new Set<string>();
        for (let round = 0; round < 500; round++) {
          await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(commit));
          heads.add(`${store.table("blocks").getSync(bytes("head"))}`);
        }

        expect(heads).toEqual(new Set([`${bytes("8")}`]));
      });

      it("cannot be reused once committed", async () => {
        await using opened = await openStore();
        const batch = opened.store.batch();
        batch.put("blocks", bytes("one"), bytes("1"));
        await batch.commit();
        const code = "BATCH_COMMITTED";

        await expect(batch.commit()).rejects.toMatchObject({ code });
        expect(() => batch.put("blocks", bytes("two"), bytes("2"))).toThrow(
          expect.objectContaining({ code }),
        );
        expect(() => batch.delete("blocks", bytes("one"))).toThrow(
          expect.objectContaining({ code }),
        );
        expect(await textOf(opened.store.table("blocks"))).toEqual(["one=1"]);
      });

      it("may have 10,000 entries", async () => {
        await using opened = await openStore();
        const batch = opened.store.batch();
        for (let n = 0; n < 10_000; n++) batch.put("blocks", numberKey(n), numberKey(n));

        await batch.commit();

        const keys = (await entriesOf(opened.store.table("blocks"))).map(([key]) => numberOf(key));
        expect(keys).toEqual(Array.from({ length: 10_000 }, (_, n) => n));
      });
    });

    describe("memory", () => {
      it.each([
        ["bytes", (text: string) => bytes(text)],
        ["a buffer", (text: string) => Buffer.from(text)],
      ])("is not shared with %s passed to a batch", async (_, create) => {
        await using opened = await openStore();
        const [key, gone, value] = [create("one"), create("two"), create("1")];
        await put(opened.store, "blocks", { two: "2" });
        const batch = opened.store.batch();
        batch.put("blocks", key, value);
        batch.delete("blocks", gone);

        for (const given of [key, gone, value]) given.fill(0);
        await batch.commit();
        for (const given of [key, gone, value]) given.fill(1);

        expect(await textOf(opened.store.table("blocks"))).toEqual(["one=1"]);
      });

      it("is not shared with returned bytes", async () => {
        await using opened = await openStore();
        await put(opened.store, "blocks", { one: "1" });
        const table = opened.store.table("blocks");

        table.getSync(bytes("one"))?.fill(0);
        (await table.get(bytes("one")))?.fill(0);
        for (const [key, value] of await entriesOf(table)) {
          key.fill(0);
          value.fill(0);
        }

        expect(await textOf(table)).toEqual(["one=1"]);
      });

      it("is not shared with the key of a read in progress", async () => {
        await using opened = await openStore();
        await put(opened.store, "blocks", { one: "1" });
        const key = bytes("one");

        const reading = opened.store.table("blocks").get(key);
        key.fill(0);

        expect(await reading).toEqual(bytes("1"));
      });
    });

    describe("a walk", () => {
      it.each<[string, KeyRange, string[]]>([
        ["everything", {}, ["a", "aa", "b", "c", "d"]],
        ["everything in reverse", { reverse: true }, ["d", "c", "b", "aa", "a"]],
        ["from a key on, which is included", { from: bytes("b") }, ["b", "c", "d"]],
        ["from between two keys on", { from: bytes("ab") }, ["b", "c", "d"]],
        ["up to a key, which is not included", { to: bytes("c") }, ["a", "aa", "b"]],
        ["up to between two keys", { to: bytes("cc") }, ["a", "aa", "b", "c"]],
        ["between two keys", { from: bytes("aa"), to: bytes("c") }, ["aa", "b"]],
        [
          "between two keys in reverse",
          { from: bytes("aa"), to: bytes("c"), reverse: true },
          ["b", "aa"],
        ],
        ["the first two", { limit: 2 }, ["a", "aa"]],
        ["the last two", { limit: 2, reverse: true }, ["d", "c"]],
        ["the last below a key", { to: bytes("c"), limit: 1, reverse: true }, ["b"]],
        ["more than there are", { limit: 100 }, ["a", "aa", "b", "c", "d"]],
        ["none of them", { limit: 0 }, []],
        ["an empty range", { from: bytes("b"), to: bytes("b") }, []],
        ["a range whose ends are swapped", { from: bytes("c"), to: bytes("b") }, []],
        ["a range beyond the last key", { from: bytes("x") }, []],
        ["a range below the first key, in reverse", { to: bytes("A"), reverse: true }, []],
      ])("visits %s", async (_, range, keys) => {
        await using opened = await openStore();
        await put(opened.store, "a", { z: "" });
        await put(opened.store, "blocks", { c: "", a: "", d: "", aa: "", b: "" });
        await put(opened.store, "c", { a: "" });

        const visited = await entriesOf(opened.store.table("blocks"), range);

        expect(visited.map(([key]) => new TextDecoder().decode(key))).toEqual(keys);
      });

      it("visits nothing in a table that was never written", async () => {
        await using opened = await openStore();

        expect(await entriesOf(opened.store.table("blocks"))).toEqual([]);
      });

      it("orders keys by their bytes, not by their numbers or letters", async () => {
        await using opened = await openStore();
        const numbers = [70_000, 256, 1, 65_536, 255, 2, 128, 127];
        const batch = opened.store.batch();
        for (const n of numbers) batch.put("blocks", numberKey(n), bytes(""));
        await batch.commit();

        const keys = (await entriesOf(opened.store.table("blocks"))).map(([key]) => numberOf(key));

        expect(keys).toEqual([1, 2, 127, 128, 255, 256, 65_536, 70_000]);
      });

      it("does not see writes after its start", async () => {
        await using opened = await openStore();
        const { store } = opened;
        const before = Array.from({ length: 3000 }, (_, n) => n * 2);
        const batch = store.batch();
        for (const n of before) batch.put("blocks", numberKey(n), bytes("old"));
        await batch.commit();

        const visited: Entry[] = [];
        for await (const entry of store.table("blocks").iterate()) {
          if (visited.length % 100 === 0) {
            const meanwhile = store.batch();
            const n = numberOf(entry[0]);
            meanwhile.put("blocks", numberKey(n + 2), bytes("new"));
            meanwhile.put("blocks", numberKey(n + 5), bytes("new"));
            meanwhile.delete("blocks", numberKey(n + 8));
            await meanwhile.commit();
          }
          visited.push(entry);
        }

        expect(visited.map(([key]) => numberOf(key))).toEqual(before);
        expect(new Set(visited.map(([, value]) => new TextDecoder().decode(value)))).toEqual(
          new Set(["old"]),
        );
      });

      it("can be ended early", async () => {
        await using opened = await openStore();
        await put(opened.store, "blocks", { one: "1", two: "2", three: "3" });

        for await (const [key] of opened.store.table("blocks").iterate()) {
          expect(key).toEqual(bytes("one"));
          break;
        }

        expect(await entriesOf(opened.store.table("blocks"))).toHaveLength(3);
      });

      it("runs beside others", async () => {
        await using opened = await openStore();
        await put(opened.store, "blocks", { one: "1", two: "2" });
        const table = opened.store.table("blocks");

        const walks = await Promise.all([textOf(table), textOf(table, { reverse: true })]);

        expect(walks).toEqual([
          ["one=1", "two=2"],
          ["two=2", "one=1"],
        ]);
      });
    });

    describe("a snapshot", () => {
      it("does not see writes after it was taken", async () => {
        await using opened = await openStore();
        const { store } = opened;
        await put(store, "blocks", { changed: "1", deleted: "1" });
        await put(store, "receipts", { changed: "1" });
        const snapshot = store.snapshot();

        const batch = store.batch();
        batch.put("blocks", bytes("changed"), bytes("2"));
        batch.put("blocks", bytes("new"), bytes("2"));
        batch.delete("blocks", bytes("deleted"));
        batch.put("receipts", bytes("changed"), bytes("2"));
        batch.put("later", bytes("new"), bytes("2"));
        await batch.commit();

        const blocks = snapshot.table("blocks");
        expect(blocks.getSync(bytes("changed"))).toEqual(bytes("1"));
        expect(await blocks.get(bytes("changed"))).toEqual(bytes("1"));
        expect(blocks.getSync(bytes("new"))).toBeUndefined();
        expect(await textOf(blocks)).toEqual(["changed=1", "deleted=1"]);
        expect(await textOf(blocks, { reverse: true, limit: 1 })).toEqual(["deleted=1"]);
        expect(await textOf(snapshot.table("receipts"))).toEqual(["changed=1"]);
        expect(await textOf(snapshot.table("later"))).toEqual([]);
        expect(await textOf(store.table("blocks"))).toEqual(["changed=2", "new=2"]);
        snapshot.close();
      });

      it("sees the same state of all tables", async () => {
        await using opened = await openStore();
        const { store } = opened;
        const snapshots: Snapshot[] = [];
        for (let n = 0; n < 20; n++) {
          const batch = store.batch();
          batch.put("blocks", bytes("head"), bytes(`${n}`));
          batch.put("receipts", bytes("head"), bytes(`${n}`));
          const written = batch.commit();
          snapshots.push(store.snapshot());
          await written;
          snapshots.push(store.snapshot());
        }

        for (const snapshot of snapshots) {
          expect(snapshot.table("blocks").getSync(bytes("head"))).toEqual(
            snapshot.table("receipts").getSync(bytes("head")),
          );
          snapshot.close();
        }
      });

      it("survives others taken before and after it", async () => {
        await using opened = await openStore();
        const { store } = opened;
        await put(store, "blocks", { head: "1" });
        const first = store.snapshot();
        await put(store, "blocks", { head: "2" });
        const second = store.snapshot();
        await put(store, "blocks", { head: "3" });
        const third = store.snapshot();

        first.close();
        third.close();

        expect(second.table("blocks").getSync(bytes("head"))).toEqual(bytes("2"));
        second.close();
      });

      it("cannot be read once it is closed", async () => {
        await using opened = await openStore();
        await put(opened.store, "blocks", { one: "1", two: "2" });
        const snapshot = opened.store.snapshot();
        const table = snapshot.table("blocks");
        const walk = table.iterate();
        await walk.next();

        snapshot.close();
        snapshot.close();

        await expectRefused(table, "SNAPSHOT_CLOSED");
        await expect(walk.next()).rejects.toMatchObject({ code: "SNAPSHOT_CLOSED" });
        expect(opened.store.table("blocks").getSync(bytes("one"))).toEqual(bytes("1"));
      });

      it("finishes a read that was in progress when it was closed", async () => {
        await using opened = await openStore();
        await put(opened.store, "blocks", { one: "1" });
        const snapshot = opened.store.snapshot();

        const reading = snapshot.table("blocks").get(bytes("one"));
        snapshot.close();

        expect(await reading).toEqual(bytes("1"));
      });
    });

    describe("a closed store", () => {
      it("rejects further use", async () => {
        await using opened = await openStore();
        const { store } = opened;
        await put(store, "blocks", { one: "1", two: "2" });
        const code = "STORAGE_CLOSED";
        const table = store.table("blocks");
        const snapshot = store.snapshot();
        const snapshotTable = snapshot.table("blocks");
        const walk = table.iterate();
        await walk.next();
        const batch = store.batch();
        batch.put("blocks", bytes("three"), bytes("3"));

        await store.close();

        await expectRefused(table, code);
        await expectRefused(snapshotTable, code);
        await expect(walk.next()).rejects.toMatchObject({ code });
        await expect(batch.commit()).rejects.toMatchObject({ code });
        expect(() => store.batch()).toThrow(expect.objectContaining({ code }));
        expect(() => store.snapshot()).toThrow(expect.objectContaining({ code }));
        if (store.tableSizes) await expect(store.tableSizes()).rejects.toMatchObject({ code });
        expect(() => snapshot.close()).not.toThrow();
      });

      it("has finished pending operations", async () => {
        await using opened = await openStore();
        const { store } = opened;
        await put(store, "blocks", { one: "1" });

        const writing = [1, 2, 3].map((n) => put(store, "blocks", { [`more-${n}`]: "2" }));
        const reading = store.table("blocks").get(bytes("one"));
        await store.close();

        await expect(Promise.all(writing)).resolves.toHaveLength(3);
        expect(await reading).toEqual(bytes("1"));
      });

      it("may be closed again", async () => {
        await using opened = await openStore();

        await Promise.all([opened.store.close(), opened.store.close()]);

        await expect(opened.store.close()).resolves.toBeUndefined();
      });
    });
  });
}

interface OpenStore extends AsyncDisposable {
  readonly store: KeyValueStore;
}

async function put(
  store: KeyValueStore,
  table: string,
  entries: Readonly<Record<string, string>>,
): Promise<void> {
  const batch = store.batch();
  for (const [key, value] of Object.entries(entries)) batch.put(table, bytes(key), bytes(value));
  await batch.commit();
}

async function entriesOf(table: Table, range?: KeyRange): Promise<Entry[]> {
  const entries: Entry[] = [];
  for await (const entry of table.iterate(range)) entries.push(entry);
  return entries;
}

/** The entries of a table, each as `key=value`. */
async function textOf(table: Table, range?: KeyRange): Promise<string[]> {
  const decoder = new TextDecoder();
  const entries = await entriesOf(table, range);
  return entries.map(([key, value]) => `${decoder.decode(key)}=${decoder.decode(value)}`);
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function numberKey(n: number): Uint8Array {
  const key = new Uint8Array(4);
  new DataView(key.buffer).setUint32(0, n);
  return key;
}

function numberOf(key: Uint8Array): number {
  return new DataView(key.buffer, key.byteOffset, key.byteLength).getUint32(0);
}
