import { command } from "@plinth/core";
import type { openDatabase } from "../database/open-database.js";
import { describeHolder } from "../relay-lock.js";
import type { CursorRow } from "../schema/cursor-row.js";
import { connect, selectTables, type TableOptions } from "./tables.js";

/** `relay status`: what the tables have, and which relay writes to them. */
export const relayStatus = (options: TableOptions, open: typeof openDatabase) =>
  command({
    id: "relay status",
    summary: "Shows which blocks the tables in PostgreSQL have, and which relay writes to them.",
    examples: ["plinth --config-file=plinth.toml relay status"],
    flags: {},
    uses: {},
    async run({ io }) {
      const { relayPostgresSchema: schema } = options;
      const { database, name } = await connect(options, open);
      try {
        const { genesis, cursor } = await selectTables(database, schema);
        const [facts] = await database.query(
          `SELECT (SELECT max(version) FROM migrations), committed_at,
             (SELECT pg_size_pretty(sum(pg_total_relation_size(pg_class.oid))) FROM pg_class
              WHERE relnamespace = $1::regnamespace AND relkind = 'r')
           FROM cursor`,
          [schema],
        );
        const [version, committedAt, size] = facts ?? [];
        const writer = await describeHolder(database, schema);
        const lines: readonly (readonly [string, string])[] = [
          ["Tables", `${name}, schema ${schema}, version ${version}, ${size}`],
          ["Chain", `block 0 is ${genesis}`],
          ["Blocks", describeBlocks(cursor)],
          ["Balances", describeBalances(cursor)],
          ["Stream", describeStream(cursor)],
          ["Committed", `${committedAt}`],
          ["Writer", writer ?? "none"],
        ];
        for (const [title, text] of lines) await io.write(`${`${title}:`.padEnd(11)}${text}`);
      } finally {
        await database.close();
      }
    },
  });

function describeBlocks({ block, firstBlock }: CursorRow): string {
  if (block === undefined || firstBlock === undefined) return "none";
  return `${firstBlock} to ${block.number} (${block.hash})`;
}

function describeBalances({ balancesFrom }: CursorRow): string {
  return balancesFrom === undefined ? "none" : `after block ${balancesFrom} and later ones`;
}

function describeStream({ stream }: CursorRow): string {
  if (stream === undefined) return "none: blocks are copied from the chain";
  return `${stream.id}, record ${stream.sequence}`;
}
