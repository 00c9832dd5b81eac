import type { ConsensusEngine, KeyValueStore } from "@plinth/core";
import { type StoredEntry, type StoredItem, TABLES } from "@plinth/core/storage";
import { EntryWriter } from "./entry-writer.js";
import { NewestEntries } from "./newest-entries.js";
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
  // Blocks off the canonical chain are removed.
  TABLES.sideChanges,
]);

/** Single values that cannot be rebuilt: the layout of states, and how far back they and bodies go. */
const KEPT_VALUES: ReadonlySet<string> = new Set(["state-format", "history-from", "blocks-from"]);

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
  const writer = new EntryWriter(target);
  const newest = new NewestEntries(target, writer);
  const kept = new Newest();
  const canonical = new Newest();
  let damaged = 0;
  for await (const item of items) {
    if ("problem" in item) damaged += 1;
    else if (item.table === TABLES.canonical) canonical.add(item);
    else if (isKeptValue(item)) kept.add(item);
    else if (REBUILT.has(item.table) || on.derived.has(item.table)) continue;
    else if (!IMMUTABLE.has(item.table)) await newest.add(item);
    else if (item.value !== undefined) {
      const entry = { ...item, value: item.value };
      if (problemOfEntry(entry, on.engine) !== undefined) damaged += 1;
      else await writer.put(entry);
    }
    on.onProgress?.(writer.count);
  }
  await newest.finish();
  for (const { table, key, value } of kept.entries()) {
    if (value !== undefined) await writer.put({ table, key, value });
  }
  await writer.flush();
  return { entries: writer.count, damaged, canonical: canonical.values() };
}

/** Of entries with the same key the one that was written last; in memory. */
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

function isKeptValue({ table, key }: StoredEntry): boolean {
  return table === TABLES.chain && KEPT_VALUES.has(Buffer.from(key).toString("latin1"));
}
