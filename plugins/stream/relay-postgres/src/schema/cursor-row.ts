import type { Hash } from "@plinth/core";
import { PlinthError } from "@plinth/core";
import type { Database, Value } from "../database/database.js";
import { bytesValue, hashOfValue } from "../rows/values.js";

/** A block of the chain. */
export interface BlockPoint {
  readonly number: bigint;
  readonly hash: Hash;
}

/** A position in a stream of changes. */
export interface StreamPoint {
  readonly id: Hash;
  readonly sequence: bigint;
  /** Of the record with that number; the id of the stream before the first one. */
  readonly hash: Hash;
}

/** What the tables contain. */
export interface CursorRow {
  /** `undefined` while blocks are read from the chain. */
  readonly stream: StreamPoint | undefined;
  /** The last block; `undefined` if there is none. */
  readonly block: BlockPoint | undefined;
  /** The first one. */
  readonly firstBlock: bigint | undefined;
  /** The block after which all balances are known; `undefined` if they are not. */
  readonly balancesFrom: bigint | undefined;
  /** Of the ABI files with which events were decoded. */
  readonly abiHash: Hash | undefined;
}

const COLUMNS = [
  ...["stream_id", "sequence", "record_hash", "block_number", "block_hash", "first_block"],
  ...["balances_from", "abi_hash"],
];

/** Reads the cursor; `undefined` if nothing was written yet. */
export async function findCursor(
  database: Database,
): Promise<{ readonly genesis: Hash; readonly cursor: CursorRow } | undefined> {
  const [row] = await database.query(`SELECT genesis_hash, ${COLUMNS.join(", ")} FROM cursor`);
  if (row === undefined) return undefined;
  const [genesis, id, sequence, record, number, hash, first, balances, abi] = row;
  return {
    genesis: hashOf(genesis) ?? "0x",
    cursor: {
      stream: streamOf(hashOf(id), bigintOf(sequence), hashOf(record)),
      block: blockOf(bigintOf(number), hashOf(hash)),
      firstBlock: bigintOf(first),
      balancesFrom: bigintOf(balances),
      abiHash: hashOf(abi),
    },
  };
}

/** The cursor of a chain; throws `PlinthError` if the tables are of another chain. */
export async function openCursor(database: Database, genesis: Hash): Promise<CursorRow> {
  const found = await findCursor(database);
  if (found === undefined) {
    await database.query("INSERT INTO cursor (genesis_hash) VALUES ($1)", [bytesValue(genesis)]);
    return EMPTY_CURSOR;
  }
  if (found.genesis === genesis) return found.cursor;
  throw new PlinthError("RELAY_OTHER_CHAIN", {
    message: `the tables have the chain whose block 0 is ${found.genesis}, and this node has ${genesis}; use another schema (--relay-postgres-schema), or drop this one`,
  });
}

/** Before the first block. */
export const EMPTY_CURSOR: CursorRow = {
  stream: undefined,
  block: undefined,
  firstBlock: undefined,
  balancesFrom: undefined,
  abiHash: undefined,
};

/** Replaces the cursor within a transaction; throws `CursorMoved` unless it is still the expected one. */
export async function moveCursor(
  database: Database,
  before: CursorRow,
  after: CursorRow,
): Promise<void> {
  const assignments = COLUMNS.map((column, index) => `${column} = $${index + 1}`);
  const moved = await database.query(
    `UPDATE cursor SET ${assignments.join(", ")}, committed_at = now()
     WHERE block_number IS NOT DISTINCT FROM $9::bigint AND block_hash IS NOT DISTINCT FROM $10::bytea
       AND sequence IS NOT DISTINCT FROM $11::bigint AND stream_id IS NOT DISTINCT FROM $12::bytea
     RETURNING 1`,
    [
      ...valuesOf(after),
      ...[textOf(before.block?.number), bytesOf(before.block?.hash)],
      ...[textOf(before.stream?.sequence), bytesOf(before.stream?.id)],
    ],
  );
  if (moved.length === 0) throw new CursorMoved();
}

/** Another writer changed the tables. */
export class CursorMoved extends PlinthError {
  constructor() {
    super("RELAY_CURSOR_MOVED", {
      message:
        "another program changed the tables; the relay reads its cursor again. Only one relay may write to a schema",
    });
  }
}

function valuesOf({ stream, block, firstBlock, balancesFrom, abiHash }: CursorRow): Value[] {
  return [
    ...[bytesOf(stream?.id), textOf(stream?.sequence), bytesOf(stream?.hash)],
    ...[textOf(block?.number), bytesOf(block?.hash), textOf(firstBlock), textOf(balancesFrom)],
    bytesOf(abiHash),
  ];
}

function streamOf(
  id: Hash | undefined,
  sequence: bigint | undefined,
  hash: Hash | undefined,
): StreamPoint | undefined {
  if (id === undefined || sequence === undefined || hash === undefined) return undefined;
  return { id, sequence, hash };
}

function blockOf(number: bigint | undefined, hash: Hash | undefined): BlockPoint | undefined {
  return number === undefined || hash === undefined ? undefined : { number, hash };
}

function hashOf(value: Value | undefined): Hash | undefined {
  return value === null || value === undefined ? undefined : hashOfValue(value);
}

function bigintOf(value: Value | undefined): bigint | undefined {
  return value === null || value === undefined ? undefined : BigInt(value);
}

function bytesOf(hash: Hash | undefined): Value {
  return hash === undefined ? null : bytesValue(hash);
}

function textOf(number: bigint | undefined): Value {
  return number === undefined ? null : String(number);
}
