import { StorageError } from "@plinth/core";
import type { ClassicLevel } from "classic-level";
import { isSealed, openValue, sealValue, splitKey } from "./value-checksum.js";

/** The format this driver writes: every value ends with a checksum. Format 1 had none. */
export const FORMAT = 2;

/** No table has this key, because no table has an empty name. */
export const FORMAT_KEY: Uint8Array = Buffer.from("\0format");

/** The format record of a database. */
export interface FormatRecord {
  readonly format: number;
  /** The last converted key, while a database of format 1 is converted. */
  readonly convertedTo?: string;
}

/** Called with the number of values converted so far. */
export type OnConverted = (values: number) => void;

type Level = ClassicLevel<Uint8Array, Uint8Array>;

const VALUES_AT_ONCE = 10_000;
const BYTES_AT_ONCE = 4 * 1024 * 1024;

/** Converts a database to the current format; throws `STORAGE_FORMAT` if its format is unknown. */
export async function ensureFormat(
  level: Level,
  folder: string,
  onConverted?: OnConverted,
): Promise<void> {
  const record = await readFormat(level, folder);
  if (record.format > FORMAT) throw newer(folder, record.format);
  if (record.format === FORMAT && record.convertedTo === undefined) return;
  await convert(level, record.convertedTo, onConverted);
}

/** Decodes a format record; `undefined` if it is malformed. */
export function decodeFormat(stored: Uint8Array): FormatRecord | undefined {
  if (!isSealed(FORMAT_KEY, stored)) return undefined;
  return JSON.parse(Buffer.from(openValue(FORMAT_KEY, stored)).toString("utf8"));
}

async function readFormat(level: Level, folder: string): Promise<FormatRecord> {
  const stored = level.getSync(FORMAT_KEY);
  if (stored !== undefined) {
    const record = decodeFormat(stored);
    if (record !== undefined) return record;
    throw new StorageError("STORAGE_DAMAGED", {
      message: `${folder} is damaged: the record of its format cannot be read. Run: plinth db repair`,
      folder,
    });
  }
  const [first] = await level.keys({ limit: 1 }).all();
  if (first === undefined) {
    await level.put(FORMAT_KEY, encodeFormat({ format: FORMAT }));
    return { format: FORMAT };
  }
  if (splitKey(first).table === "") throw unknown(folder);
  return { format: 1 };
}

/** Adds a checksum to every value, in key order; progress is written in the same batches. */
async function convert(
  level: Level,
  from: string | undefined,
  onConverted?: OnConverted,
): Promise<void> {
  const gt = from === undefined ? FORMAT_KEY : Buffer.from(from, "hex");
  const walk = level.iterator({ gt, highWaterMarkBytes: BYTES_AT_ONCE });
  let count = 0;
  try {
    for (;;) {
      const entries = await walk.nextv(VALUES_AT_ONCE);
      const last = entries.at(-1)?.[0];
      const batch = level.batch();
      for (const [key, value] of entries) batch.put(key, sealValue(key, value));
      const record = last && { convertedTo: Buffer.from(last).toString("hex") };
      batch.put(FORMAT_KEY, encodeFormat({ format: FORMAT, ...record }));
      await batch.write({ sync: true });
      if (last === undefined) return;
      count += entries.length;
      onConverted?.(count);
    }
  } finally {
    await walk.close();
  }
}

function encodeFormat(record: FormatRecord): Uint8Array {
  return sealValue(FORMAT_KEY, Buffer.from(JSON.stringify(record)));
}

function newer(folder: string, format: number): StorageError {
  return new StorageError("STORAGE_FORMAT", {
    message: `${folder} has the database format ${format}, this program supports ${FORMAT} and older; run the program that wrote it, or choose another --data-path`,
    folder,
  });
}

function unknown(folder: string): StorageError {
  return new StorageError("STORAGE_FOREIGN", {
    message: `${folder} is a LevelDB database of another program; it was left as it is. Choose another --data-path. To take over a chain of geth, run geth export there and plinth blocks import FILE here`,
    folder,
  });
}
