import { ConfigError, PlinthError } from "@plinth/core";
import { type Database, inTransaction } from "../database/database.js";
import { MIGRATIONS } from "./migrations.js";

/** With others, a text that they cannot represent would stop the relay: any contract can emit one. */
const ENCODINGS = ["UTF8", "SQL_ASCII"];

/** Creates the schema and its tables, or brings them up to date; every statement uses it from then on. */
export async function migrate(database: Database, schema: string): Promise<void> {
  await verifyEncoding(database);
  await useSchema(database, schema);
  const version = await findVersion(database);
  if (version > MIGRATIONS.length) {
    throw new PlinthError("RELAY_SCHEMA_NEWER", {
      message: `the schema ${schema} has version ${version}, and this version of the plugin relay-postgres knows ${MIGRATIONS.length}; update the plugin, or use another schema (--relay-postgres-schema)`,
    });
  }
  for (const [index, sql] of [...MIGRATIONS.entries()].slice(version)) {
    await inTransaction(database, async () => {
      await database.execute(sql);
      await database.query("INSERT INTO migrations (version) VALUES ($1)", [String(index + 1)]);
    });
  }
}

async function verifyEncoding(database: Database): Promise<void> {
  const [row] = await database.query("SHOW server_encoding");
  if (ENCODINGS.includes(row?.[0] ?? "")) return;
  throw new ConfigError("RELAY_ENCODING_UNSUPPORTED", {
    message: `the database has the encoding ${row?.[0]}, expected UTF8: create another one (CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0)`,
  });
}

/** Creates the schema if it is missing, and selects it for unqualified names. */
async function useSchema(database: Database, schema: string): Promise<void> {
  // CREATE SCHEMA IF NOT EXISTS needs a permission even if the schema is there.
  if (!(await hasSchema(database, schema))) await database.execute(`CREATE SCHEMA "${schema}"`);
  await selectSchema(database, schema);
  await database.execute(
    "CREATE TABLE IF NOT EXISTS migrations (version integer PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())",
  );
}

/** Whether the schema is there. */
export async function hasSchema(database: Database, schema: string): Promise<boolean> {
  const found = await database.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema]);
  return found.length > 0;
}

/** The server ends a connection after about a minute without its peer: until then its lock keeps other relays out. */
const KEEP_ALIVE =
  "SET tcp_keepalives_idle TO 30; SET tcp_keepalives_interval TO 10; SET tcp_keepalives_count TO 3";

/** Selects a schema for unqualified names, and the forms of values. */
export async function selectSchema(database: Database, schema: string): Promise<void> {
  await database.execute(
    `SET search_path TO "${schema}"; SET timezone TO 'UTC'; SET datestyle TO 'ISO'; SET bytea_output TO 'hex'; SET client_min_messages TO warning; ${KEEP_ALIVE}`,
  );
}

async function findVersion(database: Database): Promise<number> {
  const [row] = await database.query("SELECT coalesce(max(version), 0) FROM migrations");
  return Number(row?.[0] ?? 0);
}
