import { Yielder } from "@plinth/core";
import { BlockPruned } from "@plinth/core/chain";
import type { EventBook } from "../abi/event-book.js";
import type { Database, Row } from "../database/database.js";
import { sizeOfRows } from "../follow/packed-rows.js";
import type { RelayedChain } from "../follow/relay.js";
import { findChangedBalances, openAllBalances } from "../rows/balance-rows.js";
import type { Rows } from "../rows/block-rows.js";
import { rowsWithEvents } from "../rows/log-rows.js";
import type { BlockPoint, CursorRow } from "../schema/cursor-row.js";
import { numberColumn, TABLE_NAMES, TABLES, type TableName } from "../schema/tables.js";
import { compareRows, type RowProblem } from "./compare-rows.js";

/** The blocks whose rows are compared at a time; it also ends with the block that reaches this size. */
const PAGE_BLOCKS = 100n;
const PAGE_BYTES = 4 * 1024 * 1024;
/** For the balances after the first block, no more blocks are undone. */
const MAX_BLOCKS_BACK = 10_000n;
/** The rows before the first and after the last block that are named. */
const MAX_OUTSIDE = 20;

/** What the tables should have. */
export interface VerifiedTables {
  readonly chain: RelayedChain;
  readonly cursor: CursorRow;
  readonly events: EventBook;
  /** The last block that the tables have in common with the chain. */
  readonly last: BlockPoint;
}

/** What the verification found and did. */
export interface VerifyEvents {
  problem(problem: RowProblem): void;
  /** Something cannot be compared. */
  note(text: string): void;
  progress(number: bigint): void;
}

/** Compares the rows of the blocks from one number to another with the chain. */
export async function verifyTables(
  database: Database,
  tables: VerifiedTables,
  range: { readonly from: bigint; readonly to: bigint; readonly signal: AbortSignal },
  events: VerifyEvents,
): Promise<void> {
  const { from, to, signal } = range;
  const names = comparedTables(tables, events);
  const balances = new BalanceComparison(tables, events);
  for (let first = from; first <= to && !signal.aborted; ) {
    const { last, expected } = await expectRows(tables, { first, to }, balances);
    for (const table of names) {
      const found = await readRows(database, table, { first, last });
      const kept = table === "balances" ? balances.filter(found) : found;
      const pair = { found: kept, expected: expected.get(table) ?? [] };
      for (const problem of compareRows(table, pair)) events.problem(problem);
    }
    events.progress(last);
    first = last + 1n;
  }
}

/** Names rows of blocks that the tables should not have. */
export async function verifyOutside(
  database: Database,
  { cursor }: Pick<VerifiedTables, "cursor">,
  events: VerifyEvents,
): Promise<void> {
  const last = cursor.block?.number ?? -1n;
  const first = cursor.firstBlock ?? 0n;
  for (const table of TABLE_NAMES) {
    const number = numberColumn(table);
    const rows = await database.query(
      `SELECT ${TABLES[table].columns.slice(0, TABLES[table].key).join(", ")} FROM ${table}
       WHERE ${number} > $1::bigint OR ${number} < $2::bigint ORDER BY ${number} LIMIT ${MAX_OUTSIDE}`,
      [String(last), String(first)],
    );
    for (const row of rows) {
      const problem = `should not be there: the tables have the blocks ${first} to ${last}`;
      events.problem({ table, key: row.join(", "), problem });
    }
  }
}

function comparedTables(
  { cursor, events: book }: VerifiedTables,
  events: VerifyEvents,
): readonly TableName[] {
  if (book.hash === cursor.abiHash) return TABLE_NAMES;
  events.note("events are not compared: they were decoded with other --relay-postgres-abi-files");
  return TABLE_NAMES.filter((name) => name !== "events");
}

async function readRows(
  database: Database,
  table: TableName,
  { first, last }: { readonly first: bigint; readonly last: bigint },
): Promise<readonly Row[]> {
  const { columns, key } = TABLES[table];
  return database.query(
    `SELECT ${columns.join(", ")} FROM ${table} WHERE ${numberColumn(table)} BETWEEN $1 AND $2
     ORDER BY ${columns.slice(0, key).join(", ")}`,
    [String(first), String(last)],
  );
}

/** The rows that the tables should have of the next blocks, and the last of these. */
async function expectRows(
  { chain, events: book }: VerifiedTables,
  { first, to }: { readonly first: bigint; readonly to: bigint },
  balances: BalanceComparison,
): Promise<{
  readonly last: bigint;
  readonly expected: ReadonlyMap<TableName, readonly Row[]>;
}> {
  const rows = new Map<TableName, Row[]>(TABLE_NAMES.map((name) => [name, []]));
  const turns = new Yielder();
  let bytes = 0;
  for (let number = first; ; number++) {
    const block = chain.findBlock(number);
    if (block === undefined) throw new BlockPruned(`block ${number} is not on the chain`);
    const receipts = chain.findReceipts(block.header.hash) ?? [];
    const all: Rows = {
      ...rowsWithEvents({ block, receipts }, book),
      balances: await balances.expect(block.header),
    };
    for (const name of TABLE_NAMES) {
      const added = all[name] ?? [];
      bytes += sizeOfRows({ rows: added });
      for (const row of added) rows.get(name)?.push(row);
    }
    const isFull = bytes >= PAGE_BYTES || number - first + 1n >= PAGE_BLOCKS;
    if (isFull || number === to) return { last: number, expected: rows };
    await turns.yield();
  }
}

/** The balances that can be compared: those of some blocks may no longer be known. */
class BalanceComparison {
  readonly #tables: VerifiedTables;
  readonly #events: VerifyEvents;
  readonly #unknown = new Set<string>();

  constructor(tables: VerifiedTables, events: VerifyEvents) {
    this.#tables = tables;
    this.#events = events;
  }

  async expect(header: Parameters<typeof findChangedBalances>[1]): Promise<readonly Row[]> {
    const { chain, cursor } = this.#tables;
    const { balancesFrom } = cursor;
    if (balancesFrom === undefined || header.number < balancesFrom) return [];
    if (header.number > balancesFrom) {
      return (await findChangedBalances(chain, header)) ?? this.#skip(header.number);
    }
    using balances = await openAllBalances(chain, header, { maxBlocksBack: MAX_BLOCKS_BACK });
    if (balances === undefined) return this.#skip(header.number);
    const rows: Row[] = [];
    for await (const page of balances.rows()) rows.push(...page);
    return rows;
  }

  /** Without the rows of blocks that cannot be compared. */
  filter(rows: readonly Row[]): readonly Row[] {
    return rows.filter(([number]) => !this.#unknown.has(String(number)));
  }

  #skip(number: bigint): readonly Row[] {
    if (this.#unknown.size === 0) {
      this.#events.note(
        `balances after block ${number} are not compared, and maybe those of others: the node no longer has the state, or what the block changed`,
      );
    }
    this.#unknown.add(String(number));
    return [];
  }
}
