import { Mutex } from "../async/mutex.js";
import { messageOf, StorageError } from "../kernel/errors.js";
import type { KeyValueStore, WriteBatch } from "./store.js";

/** When commits are put on the disk: each before it resolves, all of them within 50 ms, or whenever the system does. */
export const SYNC_MODES = ["always", "grouped", "none"] as const;

/** One of `SYNC_MODES`. */
export type SyncMode = (typeof SYNC_MODES)[number];

/** The rest of the 50 ms is for the sync itself. */
const GROUP_MS = 30;

/** Takes note of something before a sync, and is called back once it is on the disk. */
export type SyncFollower = () => () => Promise<void>;

/** A store whose commits are synced in the operator's mode. */
export interface SyncedStore extends KeyValueStore {
  /** Calls the follower around every sync, and when the store is closed; not more often than a group ends. */
  followSyncs(follower: SyncFollower): void;
}

/** Puts a way of syncing commits in front of a store. */
export function syncWrites(store: KeyValueStore, mode: SyncMode): SyncedStore {
  const syncs = new Syncs(store, mode);
  return {
    table: (name) => store.table(name),
    snapshot: () => store.snapshot(),
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

  /** Syncs what was committed before the call. */
  run(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#mutex.run(() => this.#run());
  }

  /** Syncs what is left, whatever the mode. */
  async end(): Promise<void> {
    if (this.#hasCommits) await this.run();
    await this.#mutex.idle();
  }

  async #commit(batch: WriteBatch, isAsked: boolean): Promise<void> {
    if (this.#failure !== undefined) throw this.#refusal();
    const durable = isAsked || this.#mode === "always";
    await batch.commit({ durable });
    this.#hasCommits = true;
    // One that was asked to be durable is on the disk, and those before it have their own timer.
    if (this.#mode !== "none" && !isAsked) this.#schedule();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      // Kept, and thrown at the next commit.
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

  /** After a failed sync the system may have dropped what it could not write; only a restart shows what is left. */
  #refusal(): StorageError {
    return new StorageError("SYNC_FAILED", {
      message: `no more commits are accepted, because earlier ones could not be synced: ${messageOf(this.#failure)}`,
      cause: this.#failure,
    });
  }
}
