import type { ConsensusEngine, KeyValueStore } from "@plinth/core";
import { type StoredEntry, type StoredItem, TABLES, type WriteBatch } from "@plinth/core/storage";
import { problemOfEntry } from "./verify-entry.js";

/** Tables with immutable values: any version of an entry is right. */
const IMMUTABLE: ReadonlySet<string> = new Set([
  TABLES.trieNodes,
  TABLES.code,
  TABLES.preimages,
  TABLES.headers,
  TABLES.bodies,
  TABLES.senders,
  TABLES.receipts,
]);

/** Tables that are rebuilt from the blocks. */
const REBUILT: ReadonlySet<string> = new Set([
  "",
  TABLES.chain,
  TABLES.canonical,
  TABLES.transactions,
  TABLES.totalDifficulties,
]);

/** Single values that cannot be rebuilt: the layout of states, and how far back they and bodies go. */
const KEPT_VALUES: ReadonlySet<string> = new Set(["state-format", "history-from", "blocks-from"]);

const ENTRIES_AT_ONCE = 2_000;

/** Number of copied entries and of damaged places. */
export interface Salvaged {
  readonly entries: number;
  readonly damaged: number;
  /** The canonical hashes that were found, by block number as eight bytes in hexadecimal. */
  readonly canonical: ReadonlyMap<string, Uint8Array>;
}

/** Copies every readable entry that matches the hash it is stored under into an empty store. */
export async function salvageEntries(
  items: AsyncIterable<StoredItem>,
  target: KeyValueStore,
  on: {
    readonly engine: Pick<ConsensusEngine, "hashHeader">;
    /** Tables of plugins that can be rebuilt; they are skipped. */
    readonly derived: ReadonlySet<string>;
    readonly onProgress?: (entries: number) => void;
  },
): Promise<Salvaged> {
  const writer = new Writer(target);
  const newest = new Newest();
  const canonical = new Newest();
  let damaged = 0;
  for await (const item of items) {
    if ("problem" in item) damaged += 1;
    else if (item.table === TABLES.canonical) canonical.add(item);
    else if (isKeptValue(item)) newest.add(item);
    else if (REBUILT.has(item.table) || on.derived.has(item.table)) continue;
    else if (!IMMUTABLE.has(item.table)) newest.add(item);
    else if (item.value !== undefined) {
      const entry = { ...item, value: item.value };
      if (problemOfEntry(entry, on.engine) !== undefined) damaged += 1;
      else await writer.put(entry);
    }
    on.onProgress?.(writer.count);
  }
  for (const { table, key, value } of newest.entries()) {
    if (value !== undefined) await writer.put({ table, key, value });
  }
  await writer.flush();
  return { entries: writer.count, damaged, canonical: canonical.values() };
}

/** Of entries with the same key the one that was written last. */
class Newest {
  readonly #entries = new Map<string, StoredEntry>();

  add(entry: StoredEntry): void {
    const id = `${entry.table}:${Buffer.from(entry.key).toString("hex")}`;
    const known = this.#entries.get(id);
    // Copied, because it shares memory with a whole block of the file.
    if (known === undefined || known.sequence < entry.sequence) {
      const value = entry.value && Uint8Array.from(entry.value);
      this.#entries.set(id, { ...entry, key: Uint8Array.from(entry.key), value });
    }
  }

  entries(): Iterable<StoredEntry> {
    return this.#entries.values();
  }

  values(): ReadonlyMap<string, Uint8Array> {
    const found = [...this.#entries.values()].flatMap(({ key, value }) =>
      value === undefined ? [] : [[Buffer.from(key).toString("hex"), value] as const],
    );
    return new Map(found);
  }
}

class Writer {
  readonly #store: KeyValueStore;
  #batch: WriteBatch;
  #size = 0;
  count = 0;

  constructor(store: KeyValueStore) {
    this.#store = store;
    this.#batch = store.batch();
  }

  async put(entry: {
    readonly table: string;
    readonly key: Uint8Array;
    readonly value: Uint8Array;
  }): Promise<void> {
    this.#batch.put(entry.table, entry.key, entry.value);
    this.count += 1;
    if (++this.#size >= ENTRIES_AT_ONCE) await this.flush();
  }

  async flush(): Promise<void> {
    const batch = this.#batch;
    this.#batch = this.#store.batch();
    this.#size = 0;
    await batch.commit();
  }
}

function isKeptValue({ table, key }: StoredEntry): boolean {
  return table === TABLES.chain && KEPT_VALUES.has(Buffer.from(key).toString("latin1"));
}
