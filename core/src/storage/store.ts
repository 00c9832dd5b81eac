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
  /** Closes the database after the commits under way; using it afterwards is an error. */
  close(): Promise<void>;
}

/** What a storage plugin contributes; one is chosen by `--key-value-storage`. */
export interface StorageDriver {
  /** The name the operator chooses it by. */
  readonly name: string;
  /** Opens or creates the database in a folder; throws `StorageError` when it is locked or damaged. */
  open(place: { readonly folder: string }): Promise<KeyValueStore>;
  /**
   * Opens a database for reading that another thread of this process has open.
   *
   * What that thread has committed can be read at once. A driver without it serves one thread only.
   */
  openReader?(place: { readonly folder: string }): Promise<KeyValueStore>;
}
