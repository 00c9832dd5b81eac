/**
 * A named part of a store with keys of its own.
 *
 * Bytes that go in are copied and bytes that come out belong to the caller. Reading from a closed store
 * or snapshot throws `StorageError`, `STORAGE_CLOSED` or `SNAPSHOT_CLOSED`.
 */
export interface Table {
  /** Reads a value; `undefined` when the key is not there. */
  getSync(key: Uint8Array): Uint8Array | undefined;
  /** Reads a value without blocking the thread. */
  get(key: Uint8Array): Promise<Uint8Array | undefined>;
  /**
   * Walks the entries of a range in the order of their keys' bytes.
   *
   * The walk sees the table as it was when its first entry was asked for, whatever is written meanwhile.
   * It holds resources of the store until it ends; leave it with `return`, as `for await` does.
   */
  iterate(range?: KeyRange): AsyncIterableIterator<Entry>;
}

/** A key and its value. */
export type Entry = readonly [key: Uint8Array, value: Uint8Array];

/** Which keys to walk, and in which direction. */
export interface KeyRange {
  /** The lowest key, included; also when walking in reverse. */
  readonly from?: Uint8Array;
  /** The end of the range, above its highest key and not included; also when walking in reverse. */
  readonly to?: Uint8Array;
  /** Begins with the highest key. */
  readonly reverse?: boolean;
  /** At most so many entries, counted from where the walk begins. */
  readonly limit?: number;
}

/** Changes to several tables that are written together or not at all. */
export interface WriteBatch {
  put(table: string, key: Uint8Array, value: Uint8Array): void;
  delete(table: string, key: Uint8Array): void;
  /**
   * Writes all changes at once, the later ones over the earlier ones.
   *
   * With `durable` the promise settles when the operating system has put them on the disk (fsync);
   * without it a power failure may lose the latest commits, but never a part of one.
   * Commits are written in the order in which they were called.
   * A batch is written once; using it again is an error (`BATCH_COMMITTED`).
   */
  commit(options?: { readonly durable?: boolean }): Promise<void>;
}

/** The store as it was when the snapshot was taken, whatever is written afterwards. */
export interface Snapshot {
  table(name: string): Table;
  /** Gives the snapshot back; reading from it afterwards is an error. */
  close(): void;
}

/**
 * An open database.
 *
 * Names of tables are lower-case words joined by dots or hyphens; others are refused (`verifyTableName`).
 * A table is there as soon as something is written to it.
 */
export interface KeyValueStore {
  table(name: string): Table;
  batch(): WriteBatch;
  snapshot(): Snapshot;
  /**
   * Resolves when the commits that resolved before are on the disk (fsync).
   *
   * Left out by stores that lose everything with the process.
   */
  sync?(): Promise<void>;
  /** Closes the database after the commits under way; using it afterwards is an error. */
  close(): Promise<void>;
}

/** What a storage plugin contributes; one is chosen by `--key-value-storage`. */
export interface StorageDriver {
  /** The name the operator chooses it by. */
  readonly name: string;
  /**
   * Opens or creates the database in a folder.
   *
   * Throws `StorageError` when it is locked (`STORAGE_LOCKED`), damaged (`STORAGE_DAMAGED`), or that of another
   * program or version (`STORAGE_FOREIGN`, `STORAGE_FORMAT`); nothing is changed then.
   */
  open(place: StoragePlace): Promise<KeyValueStore>;
  /**
   * Opens a database for reading that another thread of this process has open.
   *
   * What that thread has committed can be read at once. A driver without it serves one thread only.
   */
  openReader?(place: StoragePlace): Promise<KeyValueStore>;
  /** Works on databases that are not open; left out by drivers that keep nothing in files. */
  readonly files?: StorageFiles;
}

/** The folder of a database. */
export interface StoragePlace {
  readonly folder: string;
}

/** What can be done with the files of a database beside opening it. */
export interface StorageFiles {
  /** The version of the format that `open` writes. */
  readonly format: number;
  /** What an operator can do about a damaged or lost database, for the ends of messages. */
  readonly waysOut: string;
  /**
   * Keeps other processes from opening the database until it is disposed of.
   *
   * Throws `STORAGE_LOCKED` when it is open, and `STORAGE_FOREIGN` when it is that of another client.
   */
  lock(place: StoragePlace): Promise<AsyncDisposable>;
  /**
   * Locks the database for the one who removes it; `undefined` when there is none.
   *
   * Throws `STORAGE_LOCKED` when it is open, and `STORAGE_FOREIGN` when the folder holds anything else.
   */
  lockToRemove(place: StoragePlace): Promise<AsyncDisposable | undefined>;
  /** Reads every entry of every file, those that are superseded included, and reports what cannot be read. */
  read(place: StoragePlace & { readonly part?: "log" }): AsyncIterable<StoredItem>;
  /** Opens a copy that is removed when it is closed; nothing in the folder is changed. */
  openCopy(place: StoragePlace): Promise<KeyValueStore>;
  /**
   * Copies the database, also while a node writes to it; the copy holds all commits up to some moment of the call.
   *
   * Files that an earlier copy has already are taken from there, and stay there.
   */
  copy(
    places: StoragePlace & { readonly to: string; readonly earlier?: string },
  ): Promise<CopiedFiles>;
}

/** An entry of a file of a database, or a place in it that is damaged. */
export type StoredItem = StoredEntry | StoredDamage;

/** An entry of a file of a database. */
export interface StoredEntry {
  readonly table: string;
  readonly key: Uint8Array;
  /** `undefined` where the key was deleted. */
  readonly value: Uint8Array | undefined;
  /** Of two entries with one key the higher one counts. */
  readonly sequence: bigint;
}

/** A place in the files of a database that is damaged. */
export interface StoredDamage {
  readonly where: string;
  readonly problem: string;
}

/** How much a copy had to write. */
export interface CopiedFiles {
  readonly files: number;
  readonly bytes: number;
  /** Files that an earlier copy had. */
  readonly reused: number;
}
