import { type KeyValueStore, StorageError } from "@plinth/core";
import { Mutex } from "@plinth/core/async";
import { type Snapshot, type Table, verifyTableName, type WriteBatch } from "@plinth/core/storage";
import { commitFailure, readFailure, syncFailure } from "../level-errors.js";
import { syncLogs } from "../sync-logs.js";
import type { ValueReader } from "../value-checksum.js";
import { estimateTables } from "./estimate-tables.js";
import { ENCODINGS, type Level } from "./level.js";
import { type Change, LevelBatch } from "./level-batch.js";
import { LevelTable, type View } from "./level-table.js";
import { ValueCache } from "./value-cache.js";

/** An open database: its tables, and the queue that orders its batches. */
export class LevelStore implements KeyValueStore {
  readonly #level: Level;
  readonly #folder: string;
  readonly #read: ValueReader;
  readonly #release: () => void;
  /** The tables used so far: readers of states ask for them with every call. */
  readonly #tables = new Map<string, Table>();
  /** Their key prefixes. */
  readonly #prefixes = new Map<string, Uint8Array>();
  /** LevelDB may write two concurrent batches in either order, so one waits for the other. */
  readonly #commits = new Mutex();
  readonly #cache: ValueCache | undefined;
  #closing: Promise<void> | undefined;

  constructor(parts: {
    readonly level: Level;
    readonly folder: string;
    readonly read: ValueReader;
    readonly release: () => void;
    /** Whether another thread writes the database. */
    readonly isReader: boolean;
  }) {
    this.#cache = parts.isReader ? undefined : new ValueCache();
    this.#read = parts.read;
    this.#level = parts.level;
    this.#folder = parts.folder;
    this.#release = parts.release;
  }

  table(name: string): Table {
    let table = this.#tables.get(name);
    if (table === undefined) {
      const verifyOpen = () => this.#verifyOpen();
      const view = { options: ENCODINGS, cache: this.#cache, verifyOpen };
      table = this.#createTable(name, view);
      this.#tables.set(name, table);
    }
    return table;
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
        // LevelDB keeps it until the reads in progress are done; releasing it cannot fail.
        void snapshot.close();
      },
    };
  }

  async tableSizes(): Promise<ReadonlyMap<string, number>> {
    this.#verifyOpen();
    try {
      return await estimateTables(this.#level);
    } catch (error) {
      throw readFailure(this.#folder, error);
    }
  }

  async sync(): Promise<void> {
    try {
      await syncLogs(this.#folder);
    } catch (error) {
      throw syncFailure(this.#folder, error);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#commits.idle().then(async () => {
      await this.#level.close();
      this.#release();
    });
    return this.#closing;
  }

  #createTable(name: string, view: View): Table {
    const { options, cache, verifyOpen } = view;
    return new LevelTable({
      options,
      cache,
      verifyOpen,
      level: this.#level,
      folder: this.#folder,
      read: this.#read,
      name,
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
    await this.#commits.run(() => this.#writeNow(changes, durable));
  }

  async #writeNow(changes: readonly Change[], durable: boolean): Promise<void> {
    const end = this.#cache?.begin(changes);
    let isWritten = false;
    try {
      const batch = this.#level.batch();
      for (const { key, value } of changes) {
        if (value === undefined) batch.del(key);
        else batch.put(key, value);
      }
      await batch.write({ sync: durable });
      isWritten = true;
    } catch (error) {
      throw commitFailure(this.#folder, error);
    } finally {
      end?.(isWritten);
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
