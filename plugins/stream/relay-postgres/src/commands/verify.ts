import { type CommandIo, command, option, PlinthError } from "@plinth/core";
import { readEvents } from "../abi/abi-files.js";
import { type Database, inTransaction } from "../database/database.js";
import type { openDatabase } from "../database/open-database.js";
import { findCommonBlock } from "../follow/common-block.js";
import type { RelayedChain } from "../follow/relay.js";
import { type VerifyEvents, verifyOutside, verifyTables } from "../verify/verify-tables.js";
import { connect, selectTables, type TableOptions } from "./tables.js";

/** Enough to recognize what is wrong. */
const MAX_SHOWN = 20;

/** `relay verify`: compares the tables with the chain, while no node runs on it. */
export const relayVerify = (options: TableOptions, open: typeof openDatabase) =>
  command({
    id: "relay verify",
    summary:
      "Compares the rows of the relay in PostgreSQL with the chain; takes about a second per few thousand transactions.",
    examples: [
      "plinth --config-file=plinth.toml relay verify",
      "plinth --config-file=plinth.toml relay verify --from=1000 --to=2000",
    ],
    flags: {
      from: option.integer({ summary: "First block whose rows are compared.", min: 0 }),
      to: option.integer({ summary: "Last block whose rows are compared.", min: 0 }),
    },
    uses: { chain: true },
    async run({ flags, io, openChain, signal }) {
      const book = await readEvents(options.relayPostgresAbiFiles);
      await using chain = await openChain();
      const { database, name } = await connect(options, open);
      try {
        const report = new Report(io);
        const range = await inTransaction(database, async () => {
          // All rows as they are at one time, also if another node writes.
          await database.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY");
          const { genesis, cursor } = await selectTables(database, options.relayPostgresSchema);
          const last = await findLast(database, { chain: chain.blocks, genesis, cursor, io });
          const from = BigInt(flags.from ?? cursor.firstBlock ?? 0n);
          const to = smaller(BigInt(flags.to ?? last.number), last.number);
          if (from > to || from < (cursor.firstBlock ?? 0n)) {
            throw new PlinthError("RELAY_RANGE_INVALID", {
              message: `there is nothing to compare from block ${from} to ${flags.to ?? last.number}: the tables have the blocks ${cursor.firstBlock ?? 0n} to ${last.number} of the chain`,
            });
          }
          const tables = { chain: chain.blocks, cursor, events: book, last };
          await verifyOutside(database, tables, report);
          await verifyTables(database, tables, { from, to, signal }, report);
          return { from, to };
        });
        const what = `${name}: the rows of the blocks ${range.from} to ${range.to}`;
        await report.finish(what, signal);
      } finally {
        await database.close();
      }
    },
  });

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

/** The last block that the tables and the chain have in common. */
async function findLast(
  database: Database,
  {
    chain,
    genesis,
    cursor,
    io,
  }: {
    readonly chain: RelayedChain;
    readonly genesis: string;
    readonly cursor: Parameters<typeof findCommonBlock>[1];
    readonly io: CommandIo;
  },
) {
  const own = chain.findHeader(0n)?.hash;
  const last = await findCommonBlock(database, cursor, (number) => chain.findHeader(number));
  if (own !== genesis || last === undefined) {
    throw new PlinthError("RELAY_TABLES_WRONG", {
      message: `the tables have no block of this chain: their block 0 is ${genesis}, and that of the chain ${own}`,
    });
  }
  if (last.hash !== cursor.block?.hash) {
    io.warn(
      `block ${cursor.block?.number} of the tables is not on the chain: compared up to block ${last.number}; the relay replaces the rest when the node starts`,
    );
  }
  return last;
}

/** Writes the first problems, and how many there are. */
class Report implements VerifyEvents {
  readonly #io: CommandIo;
  readonly #lines: string[] = [];
  #count = 0;

  constructor(io: CommandIo) {
    this.#io = io;
  }

  problem({ table, key, problem }: Parameters<VerifyEvents["problem"]>[0]): void {
    this.#count += 1;
    if (this.#count <= MAX_SHOWN) this.#lines.push(`${table} (${key}): ${problem}`);
  }

  note(text: string): void {
    this.#io.warn(text);
  }

  progress(number: bigint): void {
    this.#io.status?.show(`block ${number}`);
  }

  async finish(what: string, signal: AbortSignal): Promise<void> {
    this.#io.status?.clear();
    for (const line of this.#lines) await this.#io.write(line);
    if (this.#count > 0) {
      throw new PlinthError("RELAY_TABLES_WRONG", {
        message: `${this.#count} problems were found. \`relay rebuild\` copies all rows again.`,
      });
    }
    if (signal.aborted) {
      throw new PlinthError("RELAY_UNVERIFIED", { message: "Stopped before the end." });
    }
    await this.#io.write(`${what} are those of the chain.`);
  }
}
