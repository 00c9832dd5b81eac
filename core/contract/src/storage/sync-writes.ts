import { Mutex } from "../async/mutex.js";
import { messageOf, StorageError } from "../kernel/errors.js";
import type { KeyValueStore, WriteBatch } from "./store.js";

/**
 * When commits are synced to disk: each before it resolves, all within 50 ms, or whenever the
 * operating system does.
 */
export const SYNC_MODES = ["always", "grouped", "none"] as const;

/** One of `SYNC_MODES`. */
export type SyncMode = (typeof SYNC_MODES)[number];

/** The rest of the 50 ms is for the sync itself. */
const GROUP_MS = 30;

/** Records something before a sync, and is called back once it is on disk. */
export type SyncFollower = () => () => Promise<void>;

/** A store whose commits are synced in the operator's mode. */
export interface SyncedStore extends KeyValueStore {
  /**
   * Calls the follower around every sync, and when the store is closed; not more often than a group
   * ends.
   */
  followSyncs(follower: SyncFollower): void;
}

/** Wraps a store with a sync mode. */
export function syncWrites(store: KeyValueStore, mode: SyncMode): SyncedStore {
  const syncs = new Syncs(store, mode);
  return {
    table: (name) => store.table(name),
    snapshot: () => store.snapshot(),
    ...(store.tableSizes && { tableSizes: store.tableSizes.bind(store) }),
    batch: () => syncs.batch(),
    sync: () => syncs.run(),
    followSyncs: (follower) => syncs.follow(follower),
    async close() {
      await syncs.end();
      await store.close();
    },
  };
}

class Syncs {
  readonly #store: KeyValueStore;
  readonly #mode: SyncMode;
  #follower: SyncFollower | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #mutex = new Mutex();
  #failure: unknown;
  #hasCommits = false;

  constructor(store: KeyValueStore, mode: SyncMode) {
    this.#store = store;
    this.#mode = mode;
  }

  follow(follower: SyncFollower): void {
    this.#follower = follower;
  }

  batch(): WriteBatch {
    const batch = this.#store.batch();
    return {
      put: (table, key, value) => batch.put(table, key, value),
      delete: (table, key) => batch.delete(table, key),
      commit: (options) => this.#commit(batch, options?.durable === true),
    };
  }

  /** Syncs all earlier commits. */
  run(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#mutex.run(() => this.#run());
  }

  /** Syncs the rest, whatever the mode. */
  async end(): Promise<void> {
    if (this.#hasCommits) await this.run();
    await this.#mutex.idle();
  }

  async #commit(batch: WriteBatch, isAsked: boolean): Promise<void> {
    if (this.#failure !== undefined) throw this.#refusal();
    const durable = isAsked || this.#mode === "always";
    await batch.commit({ durable });
    this.#hasCommits = true;
    // A commit requested as durable is on disk, and earlier ones have their own timer.
    if (this.#mode !== "none" && !isAsked) this.#schedule();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      // Stored, and thrown at the next commit.
      this.run().catch(() => {});
    }, GROUP_MS).unref();
  }

  async #run(): Promise<void> {
    const done = this.#follower?.();
    try {
      await this.#store.sync?.();
    } catch (error) {
      this.#failure = error;
      throw error;
    }
    await done?.();
  }

  /**
   * After a failed sync the operating system may have dropped unwritten data; only a restart shows
   * what is left.
   */
  #refusal(): StorageError {
    return new StorageError("SYNC_FAILED", {
      message: `no more commits are accepted, because earlier ones could not be synced: ${messageOf(this.#failure)}`,
      cause: this.#failure,
    });
  }
}
