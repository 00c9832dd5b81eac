import { type PluginTable, RlpError, type TableChange } from "@plinth/core";
import { expect, it } from "vitest";
import type { Dialect } from "./dialect.js";
import { Journal } from "./journal.js";
import type { Prepare } from "./messages.js";

it("forgets what was signed at another height, whether it can still be read or not", async () => {
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
  const dialect = {
    decode() {
      throw new RlpError("a message of an older version");
    },
  } as unknown as Dialect;
  const message = { kind: "prepare", round: 0, code: 1, bytes: Uint8Array.of(1) } as Prepare;
  const journal = new Journal(table, dialect);
  await journal.open(1n);
  await journal.add([message], undefined);

  await expect(new Journal(table, dialect).open(1n)).rejects.toThrow("older version");
  expect(await new Journal(table, dialect).open(2n)).toEqual({
    messages: [],
    certificate: undefined,
  });
  expect(entries.size).toBe(0);
});
