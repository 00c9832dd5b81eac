import { PGlite } from "@electric-sql/pglite";
import { type Hash, loadCrypto } from "@plinth/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EventBook } from "../abi/event-book.js";
import { EmbeddedDatabase } from "../database/pglite-database.js";
import { EMPTY_CURSOR, openCursor } from "../schema/cursor-row.js";
import { migrate } from "../schema/migrate.js";
import { decodeAgain } from "./decode-again.js";
import { writeRows } from "./write-rows.js";

const GENESIS: Hash = `0x${"00".repeat(31)}01`;

let server: PGlite;

beforeAll(async () => {
  await loadCrypto();
  server = await PGlite.create();
});
afterAll(() => server.close());

describe("events", () => {
  it("are decoded again from a few large logs at a time", async () => {
    const database = new EmbeddedDatabase(server, async () => {});
    const book = new EventBook();
    book.add("Token", [{ type: "event", name: "E", inputs: [] }]);
    await migrate(database, "large_logs");
    await openCursor(database, GENESIS);
    const topic = `\\x${book.topics[0]?.slice(2)}`;
    const rows = [0, 1, 2].map((number) => [
      ...[String(number), "0", "0", "\\xaa", "\\xbb", topic, null, null, null],
      `\\x${"00".repeat(3_000_000)}`,
    ]);
    await writeRows(database, "logs", [{ rows }]);
    const pages: number[] = [];
    const counted = {
      query: async (sql: string, values: readonly string[] = []) => {
        const found = await database.query(sql, values);
        if (sql.includes("FROM logs")) pages.push(found.length);
        return found;
      },
      execute: (sql: string) => database.execute(sql),
      copy: database.copy.bind(database),
      close: async () => {},
    };

    const cursor = await decodeAgain(counted as typeof database, EMPTY_CURSOR, book);

    expect(pages).toEqual([2, 1, 0]);
    expect(cursor.abiHash).toBe(book.hash);
    expect(await database.query("SELECT block_number, name FROM events ORDER BY 1")).toEqual([
      ["0", "E"],
      ["1", "E"],
      ["2", "E"],
    ]);
  });
});
