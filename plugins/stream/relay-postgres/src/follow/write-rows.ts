import type { Database, Row, Value } from "../database/database.js";
import { numberColumn, TABLE_NAMES, TABLES, type TableName, targetOf } from "../schema/tables.js";
import { bytesOfRows, MAX_INSERTED, type PackedRows } from "./packed-rows.js";

/** The size of the data that is passed to COPY at a time. */
const MAX_COPY_BYTES = 8 * 1024 * 1024;

/** Adds rows to a table: a few with INSERT, many with COPY. */
export async function writeRows(
  database: Database,
  table: TableName,
  parts: readonly PackedRows[],
): Promise<void> {
  const rows = parts.flatMap((part) => (part.bytes === undefined ? part.rows : []));
  const isPlain = parts.every(({ bytes }) => bytes === undefined);
  if (isPlain && rows.length <= MAX_INSERTED) await insert(database, table, rows);
  else await copy(database, table, parts);
}

/** Deletes the rows of all blocks after one. */
export async function deleteAfter(database: Database, kept: bigint): Promise<void> {
  for (const table of TABLE_NAMES) {
    const sql = `DELETE FROM ${table} WHERE ${numberColumn(table)} > $1`;
    await database.query(sql, [String(kept)]);
  }
}

async function insert(database: Database, table: TableName, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const width = TABLES[table].columns.length;
  const lists = rows.map((_, row) => {
    const parameters = Array.from({ length: width }, (_, column) => `$${row * width + column + 1}`);
    return `(${parameters.join(", ")})`;
  });
  const values: Value[] = rows.flat();
  await database.query(`INSERT INTO ${targetOf(table)} VALUES ${lists.join(", ")}`, values);
}

async function copy(
  database: Database,
  table: TableName,
  parts: readonly PackedRows[],
): Promise<void> {
  let waiting: Buffer[] = [];
  let size = 0;
  const flush = async () => {
    if (size > 0) await database.copy(targetOf(table), Buffer.concat(waiting));
    waiting = [];
    size = 0;
  };
  for (const part of parts) {
    const bytes = bytesOfRows(part);
    waiting.push(bytes);
    size += bytes.length;
    if (size >= MAX_COPY_BYTES) await flush();
  }
  await flush();
}
