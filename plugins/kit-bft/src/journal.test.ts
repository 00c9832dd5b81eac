import { type PluginTable, RlpError, type TableChange } from "@plinth/core";
import { expect, it } from "vitest";
import type { Dialect } from "./dialect.js";
import { Journal } from "./journal.js";
import type { Prepare } from "./messages.js";

const NOTHING = { messages: [], certificate: undefined };
const dialect = {
  decode() {
    throw new RlpError("a message of an older version");
  },
} as unknown as Dialect;

it("forgets what was signed at another height, whether it can still be read or not", async () => {
  const { table, entries } = createTable();
  const journal = new Journal(table, dialect);
  await journal.open(1n);
  await journal.add([prepareOf(0)], undefined);

  await expect(new Journal(table, dialect).open(1n)).rejects.toThrow("older version");
  const next = new Journal(table, dialect);
  expect(await next.open(2n)).toEqual(NOTHING);
  await next.add([prepareOf(1)], undefined);

  expect([...entries.keys()]).toEqual(["prepare 1"]);
});

it("removes what it wrote at the height before with its first write at the next", async () => {
  const { table, entries } = createTable();
  const journal = new Journal(table, dialect);
  await journal.open(1n);
  await journal.add([prepareOf(0), prepareOf(1)], undefined);

  expect(await journal.open(2n)).toEqual(NOTHING);
  expect(journal.has({ ...prepareOf(0), height: 2n })).toBe(false);
  await journal.add([prepareOf(0)], undefined);

  expect([...entries.keys()]).toEqual(["prepare 0"]);
  expect(journal.has({ ...prepareOf(0), height: 2n })).toBe(true);
});

it("reads the disk again for a height that does not come after the one before", async () => {
  const { table } = createTable();
  const journal = new Journal(table, dialect);
  await journal.open(1n);
  await journal.add([prepareOf(0)], undefined);
  await journal.open(2n);

  await expect(journal.open(1n)).rejects.toThrow("older version");
});

function prepareOf(round: number): Prepare {
  return { kind: "prepare", round, code: 1, bytes: Uint8Array.of(1) } as Prepare;
}

/** A table in memory, and what it holds. */
function createTable() {
  const entries = new Map<string, Uint8Array>();
  const table = {
    async *iterate() {
      for (const [key, value] of entries) yield [Buffer.from(key), value];
    },
    async write(changes: readonly TableChange[]) {
      for (const [key, value] of changes) {
        const name = Buffer.from(key).toString();
        if (value === undefined) entries.delete(name);
        else entries.set(name, value);
      }
    },
  } as unknown as PluginTable;
  return { table, entries };
}
