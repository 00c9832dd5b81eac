import { PGlite } from "@electric-sql/pglite";
import type { Hash } from "@plinth/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inTransaction } from "../database/database.js";
import { EmbeddedDatabase } from "../database/pglite-database.js";
import { deleteAfter, writeRows } from "../follow/write-rows.js";
import { type CursorRow, EMPTY_CURSOR, findCursor, moveCursor, openCursor } from "./cursor-row.js";
import { migrate } from "./migrate.js";
import { TABLE_NAMES, TABLES } from "./tables.js";

const GENESIS: Hash = `0x${"00".repeat(31)}01`;
const [ONE, TWO] = [hash(1), hash(2)];

let server: PGlite;
let database: EmbeddedDatabase;

beforeAll(async () => {
  server = await PGlite.create();
  database = new EmbeddedDatabase(server, async () => {});
});
afterAll(() => server.close());

describe("the tables", () => {
  it("have the columns of the rows that are written", async () => {
    await migrate(database, "columns");

    for (const table of TABLE_NAMES) {
      const found = await database.query(
        "SELECT column_name FROM information_schema.columns WHERE table_schema = 'columns' AND table_name = $1 ORDER BY ordinal_position",
        [table],
      );
      expect([table, ...found.flat()]).toEqual([table, ...TABLES[table].columns]);
    }
  });

  it("are created once", async () => {
    await migrate(database, "again");
    await openCursor(database, GENESIS);

    await migrate(database, "again");

    expect(await database.query("SELECT version FROM migrations")).toEqual([["1"]]);
    expect(await findCursor(database)).toEqual({ genesis: GENESIS, cursor: EMPTY_CURSOR });
  });

  it.each([1, 1000])("take %i rows, with every kind of value", async (count) => {
    await migrate(database, `rows_${count}`);
    const rows = Array.from({ length: count }, (_, index) => [
      ...[String(index), "0", "\\xaa", "\\xbb", "a\tb\\", "Sent", "Sent(uint256)"],
      '{"text": "line\\nend \\"quoted\\" \\\\"}',
    ]);

    await writeRows(database, "events", [{ rows }]);
    await deleteAfter(database, BigInt(count - 1));

    expect(await database.query("SELECT * FROM events ORDER BY block_number LIMIT 1")).toEqual([
      rows[0],
    ]);
    expect(await database.query("SELECT count(*) FROM events")).toEqual([[String(count)]]);
    await deleteAfter(database, -1n);
    expect(await database.query("SELECT count(*) FROM events")).toEqual([["0"]]);
  });
});

describe("the cursor", () => {
  const after: CursorRow = {
    stream: { id: ONE, sequence: 7n, hash: TWO },
    block: { number: 9n, hash: ONE },
    firstBlock: 0n,
    balancesFrom: 3n,
    abiHash: TWO,
  };

  it("is read as it was written", async () => {
    await migrate(database, "cursor_read");
    await openCursor(database, GENESIS);

    await moveCursor(database, EMPTY_CURSOR, after);

    expect(await openCursor(database, GENESIS)).toEqual(after);
  });

  it("is moved from the expected position only", async () => {
    await migrate(database, "cursor_moved");
    await openCursor(database, GENESIS);
    await moveCursor(database, EMPTY_CURSOR, after);

    await expect(moveCursor(database, EMPTY_CURSOR, after)).rejects.toMatchObject({
      code: "RELAY_CURSOR_MOVED",
    });
    await moveCursor(database, after, { ...after, stream: undefined });
    await expect(moveCursor(database, after, after)).rejects.toMatchObject({
      code: "RELAY_CURSOR_MOVED",
    });
  });

  it("stays if the transaction fails", async () => {
    await migrate(database, "cursor_failed");
    await openCursor(database, GENESIS);

    const failing = inTransaction(database, async () => {
      await moveCursor(database, EMPTY_CURSOR, after);
      throw new Error("not committed");
    });

    await expect(failing).rejects.toThrow("not committed");
    expect(await openCursor(database, GENESIS)).toEqual(EMPTY_CURSOR);
  });
});

function hash(byte: number): Hash {
  return `0x${byte.toString(16).padStart(2, "0").repeat(32)}`;
}
