import { isDeepStrictEqual } from "node:util";
import type { Row, Value } from "../database/database.js";
import { TABLES, type TableName } from "../schema/tables.js";

/** A row that is not as it should be. */
export interface RowProblem {
  readonly table: TableName;
  /** The values of its key. */
  readonly key: string;
  readonly problem: string;
}

/** The columns with JSON, which is the same in any form. */
const JSON_COLUMNS = new Set(["arguments"]);
/** Longer values are shortened. */
const MAX_SHOWN = 80;

/** The differences between the rows of a table and those that it should have, in the order of the keys. */
export function* compareRows(
  table: TableName,
  { found, expected }: { readonly found: readonly Row[]; readonly expected: readonly Row[] },
): Generator<RowProblem, undefined> {
  const remaining = new Map(found.map((row) => [keyOf(table, row), row]));
  for (const row of expected) {
    const key = keyOf(table, row);
    const actual = remaining.get(key);
    remaining.delete(key);
    if (actual === undefined) yield { table, key, problem: "is missing" };
    else yield* compareValues(table, key, { actual, row });
  }
  for (const key of remaining.keys()) yield { table, key, problem: "should not be there" };
}

function* compareValues(
  table: TableName,
  key: string,
  { actual, row }: { readonly actual: Row; readonly row: Row },
): Generator<RowProblem, undefined> {
  for (const [index, column] of TABLES[table].columns.entries()) {
    const [value, right] = [actual[index] ?? null, row[index] ?? null];
    // The address behind a hash can become known later.
    const isUnknown = table === "balances" && column === "address" && value === null;
    if (isUnknown || isSame(column, value, right)) continue;
    yield { table, key, problem: `${column} is ${show(value)}, and should be ${show(right)}` };
  }
}

function isSame(column: string, value: Value, right: Value): boolean {
  if (value === right) return true;
  if (!JSON_COLUMNS.has(column) || value === null || right === null) return false;
  return isDeepStrictEqual(JSON.parse(value), JSON.parse(right));
}

function keyOf(table: TableName, row: Row): string {
  return row.slice(0, TABLES[table].key).join(", ");
}

function show(value: Value): string {
  if (value === null) return "NULL";
  return value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value;
}
