import { createMemoryStorageDriver, type KeyValueStore } from "@plinth/core";
import { expect, it } from "vitest";
import { EntryWriter } from "./entry-writer.js";
import { NewestEntries } from "./newest-entries.js";

it("writes the latest entry of each key, and leaves nothing else", async () => {
  const store = await createMemoryStorageDriver().open({ folder: "" });
  const writer = new EntryWriter(store);
  const newest = new NewestEntries(store, writer);
  const add = (key: string, value: string | undefined, sequence: bigint, table = "slots") =>
    newest.add({
      table,
      key: Buffer.from(key),
      value: value === undefined ? undefined : Buffer.from(value),
      sequence,
    });

  await add("a", "new", 9n);
  await add("a", "old", 2n);
  // Its bytes continue those of the key above.
  await add("a\0\0\0\0\0\0\0\x05", "other", 1n);
  await add("b", "removed", 3n);
  await add("b", undefined, 256n);
  await add("c", "", 4n);
  await add("a", "of another table", 1n, "accounts");
  await newest.finish();
  await writer.flush();

  expect(await read(store, "slots")).toEqual([
    ["a", "new"],
    ["a\0\0\0\0\0\0\0\x05", "other"],
    ["c", ""],
  ]);
  expect(await read(store, "accounts")).toEqual([["a", "of another table"]]);
  expect(await read(store, "salvaged-entries")).toEqual([]);
  expect(writer.count).toBe(4);
});

async function read(store: KeyValueStore, table: string) {
  const found: (readonly [string, string])[] = [];
  for await (const [key, value] of store.table(table).iterate()) {
    found.push([Buffer.from(key).toString(), Buffer.from(value).toString()]);
  }
  return found;
}
