import { describe, expect, it } from "vitest";
import { createMemoryStorageDriver } from "./memory-store.js";
import { PluginTable } from "./plugin-table.js";

const NAME = { plugin: "some", name: "things" };
const KEY = Uint8Array.of(1);

describe("a table of a plugin", () => {
  it("accepts entries between blocks, under the name of the plugin", async () => {
    const store = await createMemoryStorageDriver().open({ folder: "" });
    const table = new PluginTable(NAME, () => store);

    await table.write([[KEY, Uint8Array.of(2)]]);

    expect(table.getSync(KEY)).toEqual(Uint8Array.of(2));
    expect(store.table("some.things").getSync(KEY)).toEqual(Uint8Array.of(2));
    await store.close();
  });

  it("deletes outside a block, and makes a write durable on request", async () => {
    const store = await createMemoryStorageDriver().open({ folder: "" });
    const durable: (boolean | undefined)[] = [];
    const watched = {
      ...store,
      table: (name: string) => store.table(name),
      batch() {
        const batch = store.batch();
        return {
          put: batch.put.bind(batch),
          delete: batch.delete.bind(batch),
          commit(options?: { readonly durable?: boolean }) {
            durable.push(options?.durable);
            return batch.commit(options);
          },
        };
      },
    };
    const table = new PluginTable(NAME, () => watched);
    const other = Uint8Array.of(9);

    await table.write([[KEY, Uint8Array.of(2)]], { durable: true });
    await table.write([
      [KEY, undefined],
      [other, Uint8Array.of(3)],
    ]);

    expect([table.getSync(KEY), table.getSync(other)]).toEqual([undefined, Uint8Array.of(3)]);
    expect(durable).toEqual([true, undefined]);
    await store.close();
  });

  it("is written with another table of its plugin in one batch", async () => {
    const store = await createMemoryStorageDriver().open({ folder: "" });
    let batches = 0;
    const watched = {
      ...store,
      table: (name: string) => store.table(name),
      batch() {
        batches += 1;
        return store.batch();
      },
    };
    const [table, other] = ["things", "others"].map(
      (name) => new PluginTable({ plugin: "some", name }, () => watched),
    ) as [PluginTable, PluginTable];

    await table.writeWith([
      [table, [[KEY, Uint8Array.of(2)]]],
      [other, [[KEY, Uint8Array.of(3)]]],
    ]);

    expect([table.getSync(KEY), other.getSync(KEY)]).toEqual([Uint8Array.of(2), Uint8Array.of(3)]);
    expect(batches).toBe(1);
    await store.close();
  });

  it("cannot be used before the node is open", async () => {
    const table = new PluginTable(NAME, () => undefined);
    const wrong = {
      code: "PHASE_WRONG",
      message: "the table some.things can be used once the node is open, not before",
    };

    expect(() => table.getSync(KEY)).toThrow(expect.objectContaining(wrong));
    await expect(table.write([])).rejects.toMatchObject(wrong);
  });
});
