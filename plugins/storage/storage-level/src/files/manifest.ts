import { ByteReader } from "./byte-reader.js";

/** The files that make up the database, according to a manifest. */
export interface LevelVersion {
  /** Sizes of the tables, by number. */
  readonly tables: ReadonlyMap<number, number>;
  /** First write-ahead log that is not in tables yet. */
  readonly logNumber: number;
}

const COMPARATOR = 1;
const LOG_NUMBER = 2;
const NEXT_FILE = 3;
const LAST_SEQUENCE = 4;
const COMPACT_POINTER = 5;
const DELETED_FILE = 6;
const NEW_FILE = 7;
const PREVIOUS_LOG = 9;

/** Applies the records of a manifest; throws `RangeError` at a damaged one. */
export function readVersion(records: Iterable<Uint8Array>): LevelVersion {
  const version = { tables: new Map<number, number>(), logNumber: 0 };
  for (const record of records) applyEdit(version, new ByteReader(record));
  return version;
}

function applyEdit(
  version: { readonly tables: Map<number, number>; logNumber: number },
  reader: ByteReader,
): void {
  while (!reader.isAtEnd) {
    const tag = reader.readVarint();
    switch (tag) {
      case COMPARATOR:
        reader.readText();
        break;
      case LOG_NUMBER:
        version.logNumber = reader.readVarint();
        break;
      case NEXT_FILE:
      case LAST_SEQUENCE:
      case PREVIOUS_LOG:
        reader.readVarint();
        break;
      case COMPACT_POINTER:
        reader.readVarint();
        reader.readText();
        break;
      case DELETED_FILE:
        reader.readVarint();
        version.tables.delete(reader.readVarint());
        break;
      case NEW_FILE:
        addTable(version.tables, reader);
        break;
      default:
        throw new RangeError(`a record has the unknown tag ${tag}`);
    }
  }
}

function addTable(tables: Map<number, number>, reader: ByteReader): void {
  reader.readVarint();
  const number = reader.readVarint();
  tables.set(number, reader.readVarint());
  reader.readText();
  reader.readText();
}
