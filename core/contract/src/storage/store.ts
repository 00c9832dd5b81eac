/**
 * A named part of a store with its own keys.
 *
 * Input bytes are copied and returned bytes belong to the caller. Reading from a closed store or
 * snapshot throws `StorageError`, `STORAGE_CLOSED` or `SNAPSHOT_CLOSED`.
 */
export interface Table {
  /** Reads a value; `undefined` if the key is missing. */
  getSync(key: Uint8Array): Uint8Array | undefined;
  /** Reads a value without blocking the thread. */
  get(key: Uint8Array): Promise<Uint8Array | undefined>;
  /**
   * Iterates the entries of a range in byte order of the keys.
   *
   * The iteration sees the table as of its first entry, regardless of later writes. It holds
   * resources of the store until it ends; end it with `return`, as `for await` does.
   */
  iterate(range?: KeyRange): AsyncIterableIterator<Entry>;
}

/** A key and its value. */
export type Entry = readonly [key: Uint8Array, value: Uint8Array];

/** The range of keys to iterate, and the direction. */
export interface KeyRange {
  /** The lowest key, inclusive; also in reverse. */
  readonly from?: Uint8Array;
  /** The upper end of the range, exclusive; also in reverse. */
  readonly to?: Uint8Array;
  /** Starts with the highest key. */
  readonly reverse?: boolean;
  /** Maximum number of entries, counted from the start of the iteration. */
  readonly limit?: number;
}

/** Changes to several tables that are written atomically. */
export interface WriteBatch {
  put(table: string, key: Uint8Array, value: Uint8Array): void;
  delete(table: string, key: Uint8Array): void;
  /**
   * Writes all changes atomically, later ones over earlier ones.
   *
   * With `durable` the promise settles when the changes are on disk (fsync); without it a power
   * failure may lose the latest commits, but never a part of one.
   * Commits are written in the order in which they were called.
   * A batch is written once; using it again is an error (`BATCH_COMMITTED`).
   */
  commit(options?: { readonly durable?: boolean }): Promise<void>;
}

/** The store as of the time of the snapshot, regardless of later writes. */
export interface Snapshot {
  table(name: string): Table;
  /** Releases the snapshot; reading from it afterwards is an error. */
  close(): void;
}

/**
 * An open database.
 *
 * Names of tables are lower-case words joined by dots or hyphens; others are rejected
 * (`verifyTableName`). A table exists as soon as something is written to it.
 */
export interface KeyValueStore {
  table(name: string): Table;
  batch(): WriteBatch;
  snapshot(): Snapshot;
  /**
   * Estimates the bytes of every table that has entries, without reading its values.
   *
   * A driver may leave out recent commits and round to blocks of its files. Omitted by drivers
   * that have no estimate.
   */
  tableSizes?(): Promise<ReadonlyMap<string, number>>;
  /**
   * Resolves when all resolved commits are on disk (fsync).
   *
   * Omitted by stores that lose everything with the process.
   */
  sync?(): Promise<void>;
  /** Closes the database after pending commits; using it afterwards is an error. */
  close(): Promise<void>;
}

/** A database contributed by a plugin; one is selected with `--key-value-storage`. */
export interface StorageDriver {
  /** The name by which the operator selects it. */
  readonly name: string;
  /**
   * Opens or creates the database in a folder.
   *
   * Throws `StorageError` if it is locked (`STORAGE_LOCKED`), corrupted (`STORAGE_DAMAGED`), or
   * belongs to another program or version (`STORAGE_FOREIGN`, `STORAGE_FORMAT`); nothing is changed
   * then.
   */
  open(place: StoragePlace): Promise<KeyValueStore>;
  /**
   * Opens a database read-only that another thread of this process has open.
   *
   * Commits of that thread are visible immediately. A driver without it serves one thread only.
   */
  openReader?(place: StoragePlace): Promise<KeyValueStore>;
  /** Operations on databases that are not open; omitted by drivers that store nothing in files. */
  readonly files?: StorageFiles;
}

/** The folder of a database. */
export interface StoragePlace {
  readonly folder: string;
}

/** Operations on the files of a database besides opening it. */
export interface StorageFiles {
  /** The version of the format that `open` writes. */
  readonly format: number;
  /** What an operator can do about a damaged or lost database, appended to messages. */
  readonly waysOut: string;
  /**
   * Keeps other processes from opening the database until it is disposed of.
   *
   * Throws `STORAGE_LOCKED` if it is open, and `STORAGE_FOREIGN` if it belongs to another client.
   */
  lock(place: StoragePlace): Promise<AsyncDisposable>;
  /**
   * Locks the database in order to remove it; `undefined` if there is none.
   *
   * Throws `STORAGE_LOCKED` if it is open, and `STORAGE_FOREIGN` if the folder contains anything
   * else.
   */
  lockToRemove(place: StoragePlace): Promise<AsyncDisposable | undefined>;
  /**
   * Reads every entry of every file, including superseded ones, and reports what cannot be read.
   */
  read(place: StoragePlace & { readonly part?: "log" }): AsyncIterable<StoredItem>;
  /** Opens a copy that is removed when it is closed; nothing in the folder is changed. */
  openCopy(place: StoragePlace): Promise<KeyValueStore>;
  /**
   * Copies the database, even while a node writes to it; the copy contains all commits up to some
   * moment of the call.
   *
   * Files that an earlier copy already has are reused from there, and stay there. The folder itself
   * counts as one: then the copy takes no time and little space.
   */
  copy(
    places: StoragePlace & { readonly to: string; readonly earlier?: string },
  ): Promise<CopiedFiles>;
  /**
   * Makes a new database from one that no process has open; nothing in the folder is changed, also later.
   *
   * Large files are shared until the new one replaces them, if the file system has links, and copied otherwise. Throws
   * `STORAGE_LOCKED` if the database is open.
   */
  fork(places: StoragePlace & { readonly to: string }): Promise<ForkedFiles>;
}

/** The files of a database that was made from another one. */
export interface ForkedFiles {
  /** Number of large files that are shared. */
  readonly linked: number;
  /** Number of large files that were copied, and their size. */
  readonly copied: number;
  readonly bytes: number;
}

/** An entry of a database file, or a damaged location in it. */
export type StoredItem = StoredEntry | StoredDamage;

/** An entry of a database file. */
export interface StoredEntry {
  readonly table: string;
  readonly key: Uint8Array;
  /** `undefined` if the key was deleted. */
  readonly value: Uint8Array | undefined;
  /** Of two entries with one key the higher one counts. */
  readonly sequence: bigint;
}

/** A damaged location in the files of a database. */
export interface StoredDamage {
  readonly where: string;
  readonly problem: string;
}

/** The amount of data a copy had to write. */
export interface CopiedFiles {
  readonly files: number;
  readonly bytes: number;
  /** Files reused from an earlier copy. */
  readonly reused: number;
}
