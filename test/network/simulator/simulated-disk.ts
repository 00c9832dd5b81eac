import type { PluginTable } from "@plinth/core";
import type { TableChange } from "@plinth/core/storage";
import type { Mark, SignedFile } from "@plinth/kit-poa";

/** What is on a disk at one time. */
export type DiskSnapshot = ReadonlyMap<string, Uint8Array>;

/** A crash at a write: the write that it comes with, counted from 1, and whether that one is still made. */
export interface WriteCrash {
  readonly write: number;
  readonly isWritten: boolean;
  /** Called in place of a power failure. */
  readonly crash: () => void;
}

/**
 * A table whose last writes a power failure takes back, unless they were asked to be durable.
 *
 * Beside it there is a file, which is not lost with the database and not put back with it.
 */
export class SimulatedDisk {
  /** What stands in the file beside the database. */
  #mark: Mark | undefined;
  #durable = new Map<string, Uint8Array>();
  #entries = new Map<string, Uint8Array>();
  #hasUnsyncedBlock = false;
  #armed: WriteCrash | undefined;
  #writes = 0;

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
        const crash = durable && this.#entries === entries ? this.#takeCrash() : undefined;
        if (crash?.isWritten === false) crash.crash();
        for (const [key, value] of changes) {
          if (value === undefined) entries.delete(nameOf(key));
          else entries.set(nameOf(key), value);
        }
        // Everything that was written before is durable then, too.
        if (durable && this.#entries === entries) this.#sync();
        if (crash?.isWritten === true) crash.crash();
      },
    };
    return table as unknown as PluginTable;
  }

  /** The file beside the database, as the node sees it that has opened the table last. */
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

  /** Lets one of the next durable writes end in a crash, in place of one that was asked for before. */
  crashAt(crash: WriteCrash | undefined): void {
    this.#armed = crash;
    this.#writes = 0;
  }

  /** Forgets what was not durable. */
  crash(): void {
    this.#hasUnsyncedBlock = false;
    this.#entries = new Map();
  }

  snapshot(): DiskSnapshot {
    return new Map(this.#durable);
  }

  /** Puts the database back to an earlier time; for a node that is stopped. */
  restore(snapshot: DiskSnapshot): void {
    this.#durable = new Map(snapshot);
    this.#hasUnsyncedBlock = false;
  }

  /** Changes an entry of the database of a node that is stopped, if it is there. */
  async change(key: string, change: (value: Uint8Array) => Promise<Uint8Array>): Promise<void> {
    const value = this.#durable.get(key);
    if (value !== undefined) this.#durable.set(key, await change(value));
  }

  /** Loses the database; for a node that is stopped. */
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
