import { command, PlinthError } from "@plinth/core";
import { readEvents } from "../abi/abi-files.js";
import { inTransaction } from "../database/database.js";
import type { openDatabase } from "../database/open-database.js";
import { Relay } from "../follow/relay.js";
import { BATCH_BYTES } from "../limits.js";
import { verifyLock } from "../relay-lock.js";
import { rowsWithEvents } from "../rows/log-rows.js";
import { EMPTY_CURSOR, openCursor } from "../schema/cursor-row.js";
import { migrate } from "../schema/migrate.js";
import { TABLE_NAMES } from "../schema/tables.js";
import { connect, type TableOptions } from "./tables.js";

/** `relay rebuild`: removes all rows, and copies the chain again, while no node runs on it. */
export const relayRebuild = (options: TableOptions, open: typeof openDatabase) =>
  command({
    id: "relay rebuild",
    summary:
      "Removes the rows of the relay from PostgreSQL and copies the chain again; takes about a second per few thousand transactions.",
    examples: ["plinth --config-file=plinth.toml relay rebuild"],
    flags: {},
    uses: { chain: true },
    async run({ io, openChain, signal }) {
      const { relayPostgresSchema: schema, relayPostgresBatchBlocks: maxBlocks } = options;
      const book = await readEvents(options.relayPostgresAbiFiles);
      await using chain = await openChain();
      const { database } = await connect(options, open);
      try {
        await verifyLock(database, schema);
        await migrate(database, schema);
        const { blocks } = chain;
        const head = blocks.head();
        const { hash } = blocks.findHeader(0n) ?? head;
        // Throws if the rows are those of another chain, which this node could not copy again.
        await openCursor(database, hash);
        await inTransaction(database, () =>
          database.execute(`TRUNCATE ${TABLE_NAMES.join(", ")}, cursor`),
        );
        const cursor = await openCursor(database, hash);
        const relay = new Relay(
          database,
          { ...EMPTY_CURSOR, ...cursor, abiHash: book.hash },
          {
            chain: blocks,
            rowsOf: (block) => rowsWithEvents(block, book),
            channel: schema,
            limits: { blocks: maxBlocks, bytes: BATCH_BYTES },
            events: {
              committed: ({ block }) =>
                io.status?.show(`block ${block?.number ?? 0n} of ${head.number}`),
              warned: (message) => io.warn(message),
            },
          },
        );
        const end = { block: { number: head.number, hash: head.hash }, stream: undefined };
        await relay.copyChain(end, signal);
        io.status?.clear();
        const { block, firstBlock } = relay.cursor;
        if (block?.hash !== head.hash) {
          throw new PlinthError("REBUILD_STOPPED", {
            message: "Stopped before the end; a node with --relay-postgres-url copies the rest.",
          });
        }
        await io.write(`Blocks ${firstBlock} to ${block.number} are in the schema ${schema}.`);
      } finally {
        await database.close();
      }
    },
  });
