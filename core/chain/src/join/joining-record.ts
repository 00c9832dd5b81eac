import { ConfigError, type Hash, type KeyValueStore } from "@plinth/core";
import { TABLES, type WriteBatch } from "@plinth/core/storage";

/** The steps of joining, in order; `removal` if what was written turned out to be wrong. */
export type JoiningStep = "headers" | "codes" | "states" | "tries" | "removal";

/** How far a database has joined a chain, from the first write on. */
export interface JoiningRecord {
  /** The block whose state is joined. */
  readonly number: string;
  readonly hash: Hash;
  /** Identifies the division into parts. */
  readonly id: string;
  /** The option with which it is continued. */
  readonly option: string;
  readonly step: JoiningStep;
  /** Number of parts of the step that are written. */
  readonly part: number;
  /** The last header that is written. */
  readonly header: number;
  /** The part of the headers that ends with it; the first one by default. */
  readonly headerPart?: number;
}

type Source = Pick<KeyValueStore, "table">;

const KEY = Buffer.from("joining");

/** The record of a database that has not joined completely. */
export function findJoining(source: Source): JoiningRecord | undefined {
  const bytes = source.table(TABLES.chain).getSync(KEY);
  return bytes && JSON.parse(Buffer.from(bytes).toString());
}

/** Adds the record to the batch that contains what it says. */
export function putJoining(batch: Pick<WriteBatch, "put">, record: JoiningRecord): void {
  batch.put(TABLES.chain, KEY, Buffer.from(JSON.stringify(record)));
}

/** Removes the record. */
export function removeJoining(batch: Pick<WriteBatch, "delete">): void {
  batch.delete(TABLES.chain, KEY);
}

/** Throws if a database has not joined completely: it has no chain yet. */
export function verifyNotJoining(source: Source): void {
  const record = findJoining(source);
  if (record === undefined) return;
  throw new ConfigError("JOIN_INCOMPLETE", {
    message: `the database is incomplete: joining the chain at ${describeBlock(record)} was interrupted. Start the node with the same ${record.option} to continue, or remove the database to begin again`,
    option: record.option,
  });
}

/** The block of a record, for messages. */
export function describeBlock({ number, hash }: Pick<JoiningRecord, "number" | "hash">): string {
  return `block ${number} (${hash})`;
}
