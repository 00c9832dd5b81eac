import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { PGlite } from "@electric-sql/pglite";
import type { Database, Row, Value } from "./database.js";
import { FolderLock } from "./folder-lock.js";

/** The types of parameters and results that are used: all of them are passed as text. */
const TYPE_IDS = [16, 17, 20, 21, 23, 25, 26, 114, 1001, 1009, 1016, 1184, 1700, 3802];
const AS_TEXT = Object.fromEntries(TYPE_IDS.map((id) => [id, (value: string) => value]));

/** Opens the embedded database of a folder; creates one that is missing, which takes seconds. */
export async function openFolder(folder: string): Promise<Database> {
  await mkdir(folder, { recursive: true });
  const lock = await FolderLock.acquire(folder);
  try {
    const { PGlite } = await import("@electric-sql/pglite");
    const database = await PGlite.create(join(folder, "database"));
    return new EmbeddedDatabase(database, () => lock.release());
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** An embedded database as a connection. */
export class EmbeddedDatabase implements Database {
  readonly #database: PGlite;
  readonly #closed: () => Promise<void>;
  #closing: Promise<void> | undefined;

  constructor(database: PGlite, closed: () => Promise<void>) {
    this.#database = database;
    this.#closed = closed;
  }

  async query(sql: string, values: readonly Value[] = []): Promise<readonly Row[]> {
    const { rows } = await this.#database.query<Value[]>(sql, [...values], {
      rowMode: "array",
      parsers: AS_TEXT,
      serializers: AS_TEXT,
    });
    return rows;
  }

  async execute(sql: string): Promise<void> {
    await this.#database.exec(sql);
  }

  async copy(target: string, bytes: Buffer): Promise<void> {
    await this.#database.query(`COPY ${target} FROM '/dev/blob'`, [], {
      blob: new Blob([Uint8Array.from(bytes)]),
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    // What was committed is on the disk.
    await this.#database.close().catch(() => {});
    await this.#closed();
  }
}
