import type { Hash } from "@plinth/core";
import { TABLES, type Table, type WriteBatch } from "@plinth/core/storage";
import type { HistorySettings } from "../flat/flat-settings.js";
import { unlessDamaged } from "../store/unless-damaged.js";

/** The steps of a conversion, in order; the last one follows the change of the layout. */
export const CONVERSION_STEPS = ["values", "blocks", "tries", "removal"] as const;

/** A step of a conversion. */
export type ConversionStep = (typeof CONVERSION_STEPS)[number];

/**
 * How far a conversion is, as stored in the database.
 *
 * `values`: the accounts of the first block, up to `account`. `blocks`: the changes of the blocks up to `number`.
 * `tries`: the nodes of the head, up to `account`.
 */
export interface ConversionRecord extends HistorySettings {
  readonly step: Exclude<ConversionStep, "removal">;
  /** The first block whose state is converted. */
  readonly first: number;
  /** The last block whose values are converted, which is the first one during `values`. */
  readonly number: number;
  readonly hash: Hash;
  /** Where the step continues: an account and a slot of it, as hexadecimal digits of their keys. */
  readonly account: string;
  readonly slot: string;
}

/** The key of the record in the table `chain`. */
const KEY = Buffer.from("state-conversion");

/**
 * The record of a conversion that has not ended.
 *
 * `undefined` if it is damaged or of another program: the conversion is started over then, which loses nothing.
 */
export function findConversion(source: {
  table(name: string): Table;
}): ConversionRecord | undefined {
  const bytes = unlessDamaged(() => source.table(TABLES.chain).getSync(KEY));
  if (bytes === undefined) return undefined;
  try {
    const record: unknown = JSON.parse(Buffer.from(bytes).toString());
    return isRecord(record) ? record : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isRecord(value: unknown): value is ConversionRecord {
  if (typeof value !== "object" || value === null) return false;
  const { step, first, number, hash, account, slot, history, proofBlocks } = value as Partial<
    Record<keyof ConversionRecord, unknown>
  >;
  return (
    CONVERSION_STEPS.some((known) => known === step && known !== "removal") &&
    [first, number, proofBlocks, history ?? 0].every(isCount) &&
    [hash, account, slot].every((text) => typeof text === "string")
  );
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Adds a record to the batch that contains what it says. */
export function putConversion(batch: Pick<WriteBatch, "put">, record: ConversionRecord): void {
  batch.put(TABLES.chain, KEY, Buffer.from(JSON.stringify(record)));
}

/** Removes the record. */
export function removeConversion(batch: Pick<WriteBatch, "delete">): void {
  batch.delete(TABLES.chain, KEY);
}
