import { PlinthError } from "../kernel/errors.js";
import type { Entry, KeyRange, KeyValueStore, Table, WriteBatch } from "./store.js";
import { verifyTableName } from "./table-name.js";

/** The settings of a plugin's own table. */
export interface PluginTableKind {
  /** Its content can be rebuilt from the blocks; a repair of the database omits it. */
  readonly isDerived?: boolean;
}

/** A key with its new value; `undefined` deletes it. */
export type TableChange = readonly [key: Uint8Array, value: Uint8Array | undefined];

/**
 * A plugin's own table, named after it, so that no two plugins share one.
 *
 * It is created during registration and can be read once the node is open. It is written inside
 * `chain.commit`, in the batch of a block: its data is on disk exactly when the block is. Data that
 * belongs to no block, such as a log of signed messages, is written at any time with `write`.
 */
export class PluginTable implements Table {
  readonly name: string;
  readonly #findStore: () => KeyValueStore | undefined;
  #table: Table | undefined;

  constructor(
    { plugin, name }: { readonly plugin: string; readonly name: string },
    findStore: () => KeyValueStore | undefined,
  ) {
    this.name = `${plugin}.${name}`;
    verifyTableName(this.name);
    this.#findStore = findStore;
  }

  getSync(key: Uint8Array): Uint8Array | undefined {
    return this.#open().getSync(key);
  }

  get(key: Uint8Array): Promise<Uint8Array | undefined> {
    return this.#open().get(key);
  }

  iterate(range?: KeyRange): AsyncIterableIterator<Entry> {
    return this.#open().iterate(range);
  }

  /**
   * Writes changes outside a block, all of them or none, after earlier commits.
   *
   * With `durable` they are on disk when the promise settles, and survive a power failure: what a
   * validator signed must be on disk before it is sent.
   */
  async write(
    changes: Iterable<TableChange>,
    options: { readonly durable?: boolean } = {},
  ): Promise<void> {
    await this.writeWith([[this, changes]], options);
  }

  /** The same for several tables of the plugin: all of the changes are written, or none. */
  async writeWith(
    parts: Iterable<readonly [table: PluginTable, changes: Iterable<TableChange>]>,
    options: { readonly durable?: boolean } = {},
  ): Promise<void> {
    const batch = this.#getStore().batch();
    for (const [table, changes] of parts) {
      for (const [key, value] of changes) {
        if (value === undefined) batch.delete(table.name, key);
        else batch.put(table.name, key, value);
      }
    }
    await batch.commit(options);
  }

  #open(): Table {
    this.#table ??= this.#getStore().table(this.name);
    return this.#table;
  }

  #getStore(): KeyValueStore {
    const store = this.#findStore();
    if (store !== undefined) return store;
    throw new PlinthError("PHASE_WRONG", {
      message: `the table ${this.name} can be used once the node is open, not before`,
    });
  }
}

/** The batch of a block as plugins see it: they write to their own tables. */
export interface PluginBatch {
  put(table: PluginTable, key: Uint8Array, value: Uint8Array): void;
  delete(table: PluginTable, key: Uint8Array): void;
  /** Calls back when the batch is on disk; never if it fails. */
  onCommitted(callback: () => void): void;
}

/** The part of a batch available to plugins, and how they are notified that it was written. */
export function openToPlugins(batch: WriteBatch): {
  readonly batch: PluginBatch;
  committed(): void;
} {
  const callbacks: (() => void)[] = [];
  return {
    batch: {
      put: (table, key, value) => batch.put(table.name, key, value),
      delete: (table, key) => batch.delete(table.name, key),
      onCommitted: (callback) => callbacks.push(callback),
    },
    committed() {
      for (const callback of callbacks) callback();
    },
  };
}
