import type { Database, Row, Value } from "../database/database.js";
import { copyLine } from "../rows/values.js";
import { numberColumn, TABLE_NAMES, TABLES, type TableName, targetOf } from "../schema/tables.js";

/** With more rows COPY is faster. */
const MAX_INSERTED = 50;
/** The size of the text that is passed to COPY at a time. */
const MAX_COPY_CHARS = 8 * 1024 * 1024;

/** Adds rows to a table: a few with INSERT, many with COPY. */
export async function writeRows(
  database: Database,
  table: TableName,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length <= MAX_INSERTED) await insert(database, table, rows);
  else await copy(database, table, rows);
}

/** Deletes the rows of all blocks after one. */
export async function deleteAfter(database: Database, kept: bigint): Promise<void> {
  for (const table of TABLE_NAMES) {
    const sql = `DELETE FROM ${table} WHERE ${numberColumn(table)} > $1`;
    await database.query(sql, [String(kept)]);
  }
}

async function insert(database: Database, table: TableName, rows: readonly Row[]): Promise<void> {
  const width = TABLES[table].columns.length;
  const lists = rows.map((_, row) => {
    const parameters = Array.from({ length: width }, (_, column) => `$${row * width + column + 1}`);
    return `(${parameters.join(", ")})`;
  });
  const values: Value[] = rows.flat();
  await database.query(`INSERT INTO ${targetOf(table)} VALUES ${lists.join(", ")}`, values);
}

async function copy(database: Database, table: TableName, rows: readonly Row[]): Promise<void> {
  let text = "";
  for (const row of rows) {
    text += copyLine(row);
    if (text.length < MAX_COPY_CHARS) continue;
    await database.copy(targetOf(table), text);
    text = "";
  }
  if (text !== "") await database.copy(targetOf(table), text);
}
