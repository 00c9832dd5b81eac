import type { Database } from "./database/database.js";

/** The first key of the advisory locks of relays; the second one is that of the schema. */
const RELAY = 0x706c6e74;

/** Locks a schema for this connection; returns whether no other relay has it. */
export async function lockSchema(database: Database, schema: string): Promise<boolean> {
  const sql = "SELECT pg_try_advisory_lock($1::integer, hashtext($2))";
  const [row] = await database.query(sql, [String(RELAY), schema]);
  return row?.[0] === "t" || row?.[0] === "true";
}

/** Describes the connection that has the lock. */
export async function describeHolder(database: Database, schema: string): Promise<string> {
  const [row] = await database.query(
    `SELECT pid, coalesce(host(client_addr), 'this machine'), usename
     FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND classid::bigint = $1 AND objid::bigint = hashtext($2)::bigint & 4294967295
       AND pg_locks.granted`,
    [String(RELAY), schema],
  );
  return row === undefined
    ? "another relay"
    : `a relay from ${row[1]} (process ${row[0]} of the server, user ${row[2]})`;
}
