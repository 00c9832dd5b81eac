import { StorageError } from "../kernel/errors.js";
import { findValue, type SortedTree, walkTree, withEntry, withoutKey } from "./sorted-tree.js";
import type { KeyValueStore, Snapshot, StorageDriver, Table, WriteBatch } from "./store.js";
import { verifyTableName } from "./table-name.js";

/**
 * The driver `memory`: writes nothing to the folder and starts empty every time.
 *
 * For tests and for disposable nodes.
 */
export function createMemoryStorageDriver(): StorageDriver {
  return { name: "memory", open: async () => new MemoryStore() };
}

/**
 * The whole content; a commit replaces it and never modifies it, so a snapshot just keeps a
 * reference.
 */
type Content = ReadonlyMap<string, SortedTree>;

interface Change {
  readonly table: string;
  readonly key: Uint8Array;
  /** `undefined` deletes the key. */
  readonly value: Uint8Array | undefined;
}

class MemoryStore implements KeyValueStore {
  #content: Content | undefined = new Map();

  table(name: string): Table {
    return createTable(name, () => this.#getContent());
  }

  batch(): WriteBatch {
    this.#getContent();
    return new MemoryBatch((changes) => {
      this.#content = withChanges(this.#getContent(), changes);
    });
  }

  snapshot(): Snapshot {
    let content: Content | undefined = this.#getContent();
    const getContent = () => {
      this.#getContent();
      if (content === undefined) {
        throw new StorageError("SNAPSHOT_CLOSED", { message: "the snapshot is closed" });
      }
      return content;
    };
    return {
      table: (name) => createTable(name, getContent),
      close() {
        content = undefined;
      },
    };
  }

  async tableSizes(): Promise<ReadonlyMap<string, number>> {
    const tables = [...this.#getContent()].filter(([, tree]) => tree !== undefined);
    return new Map(tables.map(([name, tree]) => [name, countBytes(tree)]));
  }

  async close(): Promise<void> {
    this.#content = undefined;
  }

  #getContent(): Content {
    if (this.#content === undefined) {
      throw new StorageError("STORAGE_CLOSED", { message: "the memory store is closed" });
    }
    return this.#content;
  }
}

class MemoryBatch implements WriteBatch {
  readonly #write: (changes: readonly Change[]) => void;
  readonly #changes: Change[] = [];
  #isCommitted = false;

  constructor(write: (changes: readonly Change[]) => void) {
    this.#write = write;
  }

  put(table: string, key: Uint8Array, value: Uint8Array): void {
    this.#add({ table, key: copyOf(key), value: copyOf(value) });
  }

  delete(table: string, key: Uint8Array): void {
    this.#add({ table, key: copyOf(key), value: undefined });
  }

  async commit(): Promise<void> {
    this.#verifyPending();
    this.#isCommitted = true;
    this.#write(this.#changes);
  }

  #add(change: Change): void {
    this.#verifyPending();
    verifyTableName(change.table);
    this.#changes.push(change);
  }

  #verifyPending(): void {
    if (this.#isCommitted) {
      throw new StorageError("BATCH_COMMITTED", {
        message: "the batch is already committed; create another one",
      });
    }
  }
}

function createTable(name: string, getContent: () => Content): Table {
  verifyTableName(name);
  const getSync = (key: Uint8Array) => {
    const value = findValue(getContent().get(name), key);
    return value === undefined ? undefined : copyOf(value);
  };
  return {
    getSync,
    get: async (key) => getSync(key),
    async *iterate(range = {}) {
      for (const [key, value] of walkTree(getContent().get(name), range)) {
        yield [copyOf(key), copyOf(value)];
        getContent();
      }
    },
  };
}

function withChanges(content: Content, changes: readonly Change[]): Content {
  const next = new Map(content);
  for (const { table, key, value } of changes) {
    const tree = next.get(table);
    next.set(table, value === undefined ? withoutKey(tree, key) : withEntry(tree, [key, value]));
  }
  return next;
}

function countBytes(tree: SortedTree): number {
  let bytes = 0;
  for (const [key, value] of walkTree(tree, {})) bytes += key.length + value.length;
  return bytes;
}

/** Not `slice`: for a Buffer that would share its memory. */
function copyOf(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}
