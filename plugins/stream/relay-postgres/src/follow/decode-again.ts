import type { EventBook } from "../abi/event-book.js";
import { type Database, inTransaction, type Row } from "../database/database.js";
import { eventRow } from "../rows/log-rows.js";
import { bytesOfValue, bytesValue, hashOfValue } from "../rows/values.js";
import { type CursorRow, moveCursor } from "../schema/cursor-row.js";
import { writeRows } from "./write-rows.js";

/** Logs that are read at a time, and the size of their data: a contract can emit megabytes. */
const PAGE_ROWS = 5000;
const PAGE_BYTES = 4 * 1024 * 1024;

/** Decodes the events of all logs in the tables if the ABI files are not those of the cursor; returns the cursor. */
export async function decodeAgain(
  database: Database,
  cursor: CursorRow,
  book: EventBook,
): Promise<CursorRow> {
  const abiHash = book.hash;
  if (abiHash === cursor.abiHash) return cursor;
  return inTransaction(database, async () => {
    const after = { ...cursor, abiHash };
    await moveCursor(database, cursor, after);
    await database.execute("DELETE FROM events");
    for await (const rows of readLogs(database, book)) {
      await writeRows(database, "events", [{ rows: rows.flatMap((row) => eventOf(row, book)) }]);
    }
    return after;
  });
}

/** The logs with the topics of events. */
async function* readLogs(database: Database, book: EventBook): AsyncGenerator<readonly Row[]> {
  // An array in text form, in which the backslash of bytes is escaped.
  const topics = `{${book.topics.map((topic) => `"\\${bytesValue(topic)}"`).join(",")}}`;
  let [number, index] = ["-1", "0"];
  for (;;) {
    const rows = await database.query(
      `SELECT block_number, log_index, transaction_hash, address, topic0, topic1, topic2, topic3, data
       FROM (
         SELECT *, sum(octet_length(data)) OVER (ORDER BY block_number, log_index) - octet_length(data) AS before
         FROM (
           SELECT * FROM logs
           WHERE topic0 = ANY ($1::bytea[]) AND (block_number, log_index) > ($2::bigint, $3::integer)
           ORDER BY block_number, log_index LIMIT ${PAGE_ROWS}
         ) AS page
       ) AS sized
       WHERE before < ${PAGE_BYTES} ORDER BY block_number, log_index`,
      [topics, number, index],
    );
    if (rows.length === 0) return;
    yield rows;
    const last = rows.at(-1) ?? [];
    [number, index] = [last[0] ?? "", last[1] ?? ""];
  }
}

function eventOf(row: Row, book: EventBook): readonly Row[] {
  const [number, index, hash, address, ...rest] = row;
  const data = rest.pop();
  const topics = rest.flatMap((topic) => (topic == null ? [] : [hashOfValue(topic)]));
  const event = book.decode({ topics, data: bytesOfValue(data ?? "\\x") });
  const place = [number ?? null, index ?? null, hash ?? null, address ?? null];
  return event === undefined ? [] : [eventRow(place, event)];
}
