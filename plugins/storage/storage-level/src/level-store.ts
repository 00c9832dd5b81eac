import { mkdir, realpath } from "node:fs/promises";
import { type KeyValueStore, StorageError } from "@plinth/core";
import {
  type Entry,
  type KeyRange,
  type Snapshot,
  type StorageDriver,
  type Table,
  verifyTableName,
  type WriteBatch,
} from "@plinth/core/storage";
import type { ClassicLevel, GetOptions } from "classic-level";
import { verifyFiles, verifyNothingDropped } from "./check-open.js";
import { ensureFormat, type OnConverted } from "./database-format.js";
import { verifyOwnFolder } from "./foreign-folder.js";
import {
  commitFailure,
  openedTwice,
  openFailure,
  readFailure,
  syncFailure,
} from "./level-errors.js";
import { createLevelFiles } from "./level-files.js";
import { syncLogs } from "./sync-logs.js";
import { dropChecksum, openValue, sealValue, type ValueReader } from "./value-checksum.js";

/** How a database is opened. */
export interface LevelSettings {
  /** Each that was read lately is mapped into memory, 2 MiB at most. */
  readonly maxOpenFiles: number;
  /** Whether values are checked when they are read; they are when left out. */
  readonly checksValues?: boolean;
  /** Called with the progress of the conversion from an older format. */
  readonly onConverted?: OnConverted;
  /** Tables are read whole at the start up to this size in total; 1 GiB when left out. */
  readonly maxTableBytes?: number;
  /** Called with the path of every table that is not. */
  readonly onSkipped?: (path: string) => void;
}

/** Keeps the process small; LevelDB's own 1,000 may map 2 GiB. */
export const USUAL_OPEN_FILES = 80;

/** The driver `leveldb`: the database is a folder of LevelDB files. */
export function createLevelStorageDriver(
  settings: LevelSettings = { maxOpenFiles: USUAL_OPEN_FILES },
): StorageDriver {
  const open = (folder: string) => openChecked(folder, settings);
  return {
    name: "leveldb",
    open: ({ folder }) => open(folder),
    // LevelDB has one database per process and folder, which its threads share.
    openReader: ({ folder }) => openLevelStore(folder, settings),
    files: createLevelFiles({ open, verifyClosed }),
  };
}

type Level = ClassicLevel<Uint8Array, Uint8Array>;
type ReadOptions = GetOptions<Uint8Array, Uint8Array>;

const ENCODINGS = { keyEncoding: "view", valueEncoding: "view" } as const;
/** How many entries a walk fetches at a time; LevelDB stops earlier, after 16 kB. */
const ENTRIES_AT_A_TIME = 1000;

/**
 * The folders this thread holds open.
 *
 * LevelDB itself must let one process open a folder several times: worker threads read beside the thread
 * that writes. Two stores in one thread are a mistake all the same.
 */
const openFolders = new Set<string>();

/** Opens a folder whose files are checked before LevelDB sees them, and brings it to the current format. */
async function openChecked(folder: string, settings: LevelSettings): Promise<KeyValueStore> {
  await verifyOwnFolder(folder);
  return openLevelStore(folder, settings, {
    before: (location) => verifyFiles(location, settings),
    async after(level, location) {
      await verifyNothingDropped(location);
      await ensureFormat(level, location, settings.onConverted);
    },
  });
}

/** What is done around an opening; nothing for readers, which open what another thread has checked. */
interface OpeningChecks {
  before(location: string): Promise<void>;
  after(level: Level, location: string): Promise<void>;
}

async function openLevelStore(
  folder: string,
  settings: LevelSettings,
  checks?: OpeningChecks,
): Promise<KeyValueStore> {
  const location = await createFolder(folder);
  if (openFolders.has(location)) throw openedTwice(folder);
  openFolders.add(location);
  try {
    await checks?.before(location);
    // Loads a native library, which a command that needs no database should not pay for.
    const { ClassicLevel } = await import("classic-level");
    const { maxOpenFiles } = settings;
    const options = { ...ENCODINGS, maxOpenFiles, multithreading: true };
    const level: Level = new ClassicLevel(location, options);
    await level.open();
    await closeUnless(level, checks?.after(level, location));
    const read = settings.checksValues === false ? dropChecksum : openValue;
    return new LevelStore({ level, folder, read, release: () => openFolders.delete(location) });
  } catch (error) {
    openFolders.delete(location);
    throw error instanceof StorageError ? error : openFailure(folder, error);
  }
}

/** Closes a database that turns out not to be fit for use. */
async function closeUnless(level: Level, check: Promise<void> | undefined): Promise<void> {
  try {
    await check;
  } catch (error) {
    await level.close();
    throw error;
  }
}

async function verifyClosed(folder: string): Promise<void> {
  const location = await realpath(folder).catch(() => folder);
  if (openFolders.has(location)) throw openedTwice(folder);
}

/** Creates the folder where it is missing; one path for it, however it was written. */
async function createFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true });
    return await realpath(folder);
  } catch (error) {
    throw openFailure(folder, error);
  }
}

class LevelStore implements KeyValueStore {
  readonly #level: Level;
  readonly #folder: string;
  readonly #read: ValueReader;
  readonly #release: () => void;
  /** The prefixes of the keys of each table used so far. */
  readonly #prefixes = new Map<string, Uint8Array>();
  /** Settles when the commits asked for so far are done. */
  #commits: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(parts: {
    readonly level: Level;
    readonly folder: string;
    readonly read: ValueReader;
    readonly release: () => void;
  }) {
    this.#read = parts.read;
    this.#level = parts.level;
    this.#folder = parts.folder;
    this.#release = parts.release;
  }

  table(name: string): Table {
    return this.#createTable(name, { options: ENCODINGS, verifyOpen: () => this.#verifyOpen() });
  }

  batch(): WriteBatch {
    this.#verifyOpen();
    return new LevelBatch({
      prefixOf: (table) => this.#prefixOf(table),
      write: (changes, durable) => this.#write(changes, durable),
    });
  }

  snapshot(): Snapshot {
    this.#verifyOpen();
    const snapshot = this.#level.snapshot();
    let isClosed = false;
    const view = {
      options: { ...ENCODINGS, snapshot },
      verifyOpen: () => {
        this.#verifyOpen();
        if (isClosed) {
          throw new StorageError("SNAPSHOT_CLOSED", { message: "the snapshot is closed" });
        }
      },
    };
    return {
      table: (name) => this.#createTable(name, view),
      close() {
        isClosed = true;
        // LevelDB keeps it until the reads under way are done; giving it back cannot fail.
        void snapshot.close();
      },
    };
  }

  async sync(): Promise<void> {
    try {
      await syncLogs(this.#folder);
    } catch (error) {
      throw syncFailure(this.#folder, error);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#commits.then(async () => {
      await this.#level.close();
      this.#release();
    });
    return this.#closing;
  }

  #createTable(name: string, view: View): Table {
    return new LevelTable({
      ...view,
      level: this.#level,
      folder: this.#folder,
      read: this.#read,
      prefix: this.#prefixOf(name),
    });
  }

  #prefixOf(table: string): Uint8Array {
    const known = this.#prefixes.get(table);
    if (known !== undefined) return known;

    verifyTableName(table);
    const prefix = new TextEncoder().encode(`${table}\0`);
    this.#prefixes.set(table, prefix);
    return prefix;
  }

  async #write(changes: readonly Change[], durable: boolean): Promise<void> {
    this.#verifyOpen();
    // Two batches given to LevelDB at once may be written in either order, so one waits for the other.
    const written = this.#commits.then(() => this.#writeNow(changes, durable));
    this.#commits = written.catch(() => undefined);
    await written;
  }

  async #writeNow(changes: readonly Change[], durable: boolean): Promise<void> {
    try {
      const batch = this.#level.batch();
      for (const { key, value } of changes) {
        if (value === undefined) batch.del(key);
        else batch.put(key, value);
      }
      await batch.write({ sync: durable });
    } catch (error) {
      throw commitFailure(this.#folder, error);
    }
  }

  #verifyOpen(): void {
    if (this.#closing !== undefined) {
      throw new StorageError("STORAGE_CLOSED", {
        message: `${this.#folder} is closed`,
        folder: this.#folder,
      });
    }
  }
}

/** What a table reads from: the store or a snapshot of it. */
interface View {
  readonly options: ReadOptions;
  verifyOpen(): void;
}

class LevelTable implements Table {
  readonly #level: Level;
  readonly #folder: string;
  readonly #openValue: ValueReader;
  readonly #prefix: Uint8Array;
  readonly #options: ReadOptions;
  readonly #verifyOpen: () => void;

  constructor(
    parts: View & {
      readonly level: Level;
      readonly folder: string;
      readonly read: ValueReader;
      readonly prefix: Uint8Array;
    },
  ) {
    this.#openValue = parts.read;
    this.#level = parts.level;
    this.#folder = parts.folder;
    this.#prefix = parts.prefix;
    this.#options = parts.options;
    this.#verifyOpen = parts.verifyOpen;
  }

  getSync(key: Uint8Array): Uint8Array | undefined {
    this.#verifyOpen();
    const full = joined(this.#prefix, key);
    const stored = this.#readSync(full);
    return stored && this.#openValue(full, stored);
  }

  async get(key: Uint8Array): Promise<Uint8Array | undefined> {
    this.#verifyOpen();
    const full = joined(this.#prefix, key);
    const stored = await this.#read(full);
    return stored && this.#openValue(full, stored);
  }

  #readSync(key: Uint8Array): Uint8Array | undefined {
    try {
      return this.#level.getSync(key, this.#options);
    } catch (error) {
      throw readFailure(this.#folder, error);
    }
  }

  async #read(key: Uint8Array): Promise<Uint8Array | undefined> {
    try {
      return await this.#level.get(key, this.#options);
    } catch (error) {
      throw readFailure(this.#folder, error);
    }
  }

  async *iterate(range: KeyRange = {}): AsyncIterableIterator<Entry> {
    this.#verifyOpen();
    const walk = this.#level.iterator({ ...this.#bounds(range), ...this.#options });
    const fetchEntries = async () => {
      try {
        return await walk.nextv(ENTRIES_AT_A_TIME);
      } catch (error) {
        throw readFailure(this.#folder, error);
      }
    };
    try {
      for (let entries = await fetchEntries(); entries.length > 0; entries = await fetchEntries()) {
        for (const [key, value] of entries) {
          yield [plain(key.subarray(this.#prefix.length)), this.#openValue(key, value)];
          this.#verifyOpen();
        }
      }
    } finally {
      await walk.close();
    }
  }

  #bounds({ from = new Uint8Array(), to, reverse = false, limit = -1 }: KeyRange) {
    return {
      gte: joined(this.#prefix, from),
      lt: to === undefined ? endOf(this.#prefix) : joined(this.#prefix, to),
      reverse,
      limit,
    };
  }
}

interface Change {
  /** With the prefix of its table. */
  readonly key: Uint8Array;
  /** `undefined` deletes the key. */
  readonly value: Uint8Array | undefined;
}

/**
 * Collects changes and hands them over at the end.
 *
 * LevelDB's own chained batch would save a copy, but one that is never written stays in memory.
 */
class LevelBatch implements WriteBatch {
  readonly #prefixOf: (table: string) => Uint8Array;
  readonly #write: (changes: readonly Change[], durable: boolean) => Promise<void>;
  readonly #changes: Change[] = [];
  #isCommitted = false;

  constructor(parts: {
    readonly prefixOf: (table: string) => Uint8Array;
    readonly write: (changes: readonly Change[], durable: boolean) => Promise<void>;
  }) {
    this.#prefixOf = parts.prefixOf;
    this.#write = parts.write;
  }

  put(table: string, key: Uint8Array, value: Uint8Array): void {
    this.#verifyPending();
    const full = joined(this.#prefixOf(table), key);
    this.#changes.push({ key: full, value: sealValue(full, value) });
  }

  delete(table: string, key: Uint8Array): void {
    this.#verifyPending();
    this.#changes.push({ key: joined(this.#prefixOf(table), key), value: undefined });
  }

  async commit({ durable = false }: { readonly durable?: boolean } = {}): Promise<void> {
    this.#verifyPending();
    this.#isCommitted = true;
    await this.#write(this.#changes, durable);
  }

  #verifyPending(): void {
    if (this.#isCommitted) {
      throw new StorageError("BATCH_COMMITTED", {
        message: "the batch is already committed; create another one",
      });
    }
  }
}

function joined(prefix: Uint8Array, key: Uint8Array): Uint8Array {
  const bytes = Buffer.allocUnsafe(prefix.length + key.length);
  bytes.set(prefix, 0);
  bytes.set(key, prefix.length);
  return bytes;
}

/** The first key after all that begin with a prefix; its last byte is zero, so raising it is enough. */
function endOf(prefix: Uint8Array): Uint8Array {
  const end = new Uint8Array(prefix);
  end[end.length - 1] = 1;
  return end;
}

/** LevelDB gives out buffers, whose `slice` shares memory; the same bytes without that surprise. */
function plain(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
