import type { PluginTable } from "@plinth/core";
import type { TableChange } from "@plinth/core/storage";
import type { Mark, SignedFile } from "@plinth/kit-poa";

/** The content of a disk at one time. */
export type DiskSnapshot = ReadonlyMap<string, Uint8Array>;

/** A crash at a write: the number of the write, from 1 on, and whether it is still made. */
export interface WriteCrash {
  readonly write: number;
  readonly isWritten: boolean;
  /** Called instead of a power failure. */
  readonly crash: () => void;
}

/**
 * A table whose last writes a power failure reverts, unless they were requested as durable.
 *
 * Beside it there is a file, which is not lost with the database and not restored with it.
 */
export class SimulatedDisk {
  /** The content of the file beside the database. */
  #mark: Mark | undefined;
  #durable = new Map<string, Uint8Array>();
  #entries = new Map<string, Uint8Array>();
  #hasUnsyncedBlock = false;
  #armed: WriteCrash | undefined;
  #writes = 0;

  /** Whether a power failure now loses the last block: nothing was made durable after it. */
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
        const crash = durable && this.#entries === entries ? this.#takeCrash() : undefined;
        if (crash?.isWritten === false) crash.crash();
        for (const [key, value] of changes) {
          if (value === undefined) entries.delete(nameOf(key));
          else entries.set(nameOf(key), value);
        }
        // Everything written before is durable then, too.
        if (durable && this.#entries === entries) this.#sync();
        if (crash?.isWritten === true) crash.crash();
      },
    };
    return table as unknown as PluginTable;
  }

  /** The file beside the database, for the node that opened the table last. */
  openFile(): Pick<SignedFile, "name" | "read" | "write"> {
    const entries = this.#entries;
    return {
      name: "signed.json",
      read: async () => this.#mark ?? "missing",
      write: async (mark) => {
        if (this.#entries === entries) this.#mark = mark;
      },
    };
  }

  /** Makes one of the next durable writes end in a crash, replacing an earlier request. */
  crashAt(crash: WriteCrash | undefined): void {
    this.#armed = crash;
    this.#writes = 0;
  }

  /** Loses what was not durable. */
  crash(): void {
    this.#hasUnsyncedBlock = false;
    this.#entries = new Map();
  }

  snapshot(): DiskSnapshot {
    return new Map(this.#durable);
  }

  /** Restores the database to an earlier time; for a stopped node. */
  restore(snapshot: DiskSnapshot): void {
    this.#durable = new Map(snapshot);
    this.#hasUnsyncedBlock = false;
  }

  /** Changes an entry of the database of a stopped node, if it exists. */
  async change(key: string, change: (value: Uint8Array) => Promise<Uint8Array>): Promise<void> {
    const value = this.#durable.get(key);
    if (value !== undefined) this.#durable.set(key, await change(value));
  }

  /** Loses the database; for a stopped node. */
  erase(): void {
    this.restore(new Map());
  }

  /** Loses the file beside the database. */
  eraseFile(): void {
    this.#mark = undefined;
  }

  #takeCrash(): WriteCrash | undefined {
    const armed = this.#armed;
    if (armed === undefined || ++this.#writes < armed.write) return undefined;
    this.#armed = undefined;
    return armed;
  }

  #sync(): void {
    this.#hasUnsyncedBlock = false;
    this.#durable = new Map(this.#entries);
  }
}

function nameOf(key: Uint8Array): string {
  return Buffer.from(key).toString("latin1");
}
