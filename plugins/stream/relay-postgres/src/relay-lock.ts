import { PlinthError } from "@plinth/core";
import type { Database } from "./database/database.js";

/** The first key of the advisory locks of relays; the second one is that of the schema. */
const RELAY = 0x706c6e74;

/** Locks a schema for this connection; returns whether no other relay has it. */
async function lockSchema(database: Database, schema: string): Promise<boolean> {
  const sql = "SELECT pg_try_advisory_lock($1::integer, hashtext($2))";
  const [row] = await database.query(sql, [String(RELAY), schema]);
  return row?.[0] === "t" || row?.[0] === "true";
}

/** Locks a schema for this connection; throws `PlinthError` if another relay has it. */
export async function verifyLock(database: Database, schema: string): Promise<void> {
  if (await lockSchema(database, schema)) return;
  const holder = (await describeHolder(database, schema)) ?? "another relay";
  throw new PlinthError("RELAY_LOCKED", {
    message: `${holder} writes to the schema ${schema}; stop it, or use another schema (--relay-postgres-schema)`,
  });
}

/** The connection that has the lock; `undefined` if none has. */
export async function describeHolder(
  database: Database,
  schema: string,
): Promise<string | undefined> {
  const [row] = await database.query(
    `SELECT pid, coalesce(host(client_addr), 'this machine'), coalesce(usename, current_user)
     FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND granted AND classid::bigint = $1::bigint
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND objid::bigint = hashtext($2)::bigint & 4294967295`,
    [String(RELAY), schema],
  );
  if (row === undefined) return undefined;
  return `a relay from ${row[1]} (process ${row[0]} of the server, user ${row[2]})`;
}
