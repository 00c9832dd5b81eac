import type { PluginTable, TableChange } from "@plinth/core";

/** A table whose last writes a power failure takes back, unless they were asked to be durable. */
export class SimulatedDisk {
  readonly #durable = new Map<string, Uint8Array>();
  #entries = new Map<string, Uint8Array>();
  #hasUnsyncedBlock = false;

  /** Whether a power failure now takes the last block back: nothing was made durable after it. */
  get hasUnsyncedBlock(): boolean {
    return this.#hasUnsyncedBlock;
  }

  /** A block was written, not durably. */
  blockWritten(): void {
    this.#hasUnsyncedBlock = true;
  }

  /** The table as a running node sees it; after `crash` that node writes to nothing. */
  open(beforeWrite?: () => Promise<void>): PluginTable {
    const entries = new Map(this.#durable);
    this.#entries = entries;
    const table = {
      getSync: (key: Uint8Array) => entries.get(nameOf(key)),
      get: async (key: Uint8Array) => entries.get(nameOf(key)),
      async *iterate() {
        for (const [key, value] of [...entries]) yield [Buffer.from(key, "latin1"), value] as const;
      },
      write: async (changes: Iterable<TableChange>, { durable = false } = {}) => {
        await beforeWrite?.();
        for (const [key, value] of changes) {
          if (value === undefined) entries.delete(nameOf(key));
          else entries.set(nameOf(key), value);
        }
        // Everything that was written before is durable then, too.
        if (durable && this.#entries === entries) this.#sync();
      },
    };
    return table as unknown as PluginTable;
  }

  /** Forgets what was not durable. */
  crash(): void {
    this.#hasUnsyncedBlock = false;
    this.#entries = new Map();
  }

  #sync(): void {
    this.#hasUnsyncedBlock = false;
    this.#durable.clear();
    for (const [key, value] of this.#entries) this.#durable.set(key, value);
  }
}

function nameOf(key: Uint8Array): string {
  return Buffer.from(key).toString("latin1");
}
