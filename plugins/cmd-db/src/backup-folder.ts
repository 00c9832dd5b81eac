import { existsSync, readdirSync } from "node:fs";
import { mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import {
  ConfigError,
  decodeChecked,
  encodeChecked,
  type MarkedHead,
  replaceFile,
  StorageError,
} from "@plinth/core";
import { lockBackup } from "./backup-lock.js";

/** A backup: which blocks it holds, and where. */
export interface Backup {
  readonly head: Pick<MarkedHead, "number" | "hash" | "genesisHash">;
  /** The folder with the copy of the database. */
  readonly database: string;
}

/** What the label says, beside its checksum. */
interface Label {
  readonly version: number;
  /** The folder of the copy; every backup has a new one, so that the label changes from one to the next at once. */
  readonly database: string;
  readonly number: string;
  readonly hash: `0x${string}`;
  readonly genesisHash: `0x${string}`;
  /** Sizes of the files of the copy. */
  readonly files: Readonly<Record<string, number>>;
}

const LABEL = "plinth-backup.json";
const VERSION = 2;
const COPY = /^database-\d+$/;

/** A folder that a backup is being written to; an earlier backup in it stays valid until the next is complete. */
export class BackupFolder implements AsyncDisposable {
  readonly #path: string;
  readonly #lock: AsyncDisposable;
  readonly earlier: Backup | undefined;
  /** Where the next copy belongs. */
  readonly next: string;

  private constructor(path: string, lock: AsyncDisposable, earlier: Backup | undefined) {
    this.#path = path;
    this.#lock = lock;
    this.earlier = earlier;
    const number = Number(earlier?.database.match(/\d+$/)?.[0] ?? 0) + 1;
    this.next = join(path, `database-${number}`);
  }

  /** Takes a folder; throws when it holds something else, which would be overwritten. */
  static async open(path: string): Promise<BackupFolder> {
    const names = existsSync(path) ? readdirSync(path) : [];
    const isBackup = names.includes(LABEL);
    if (!isBackup && names.some((name) => !COPY.test(name))) {
      throw new ConfigError("BACKUP_FAILED", {
        message: `${path} is neither empty nor an earlier backup; choose another folder`,
      });
    }
    await mkdir(path, { recursive: true });
    const lock = await lockBackup(path);
    try {
      const folder = new BackupFolder(path, lock, isBackup ? await findBackup(path) : undefined);
      await folder.#removeCopies({ but: folder.earlier?.database });
      return folder;
    } catch (error) {
      await lock[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Makes the next copy the backup, and removes the earlier one. */
  async complete({ number, hash, genesisHash }: Backup["head"]): Promise<void> {
    const database = this.next.slice(this.#path.length + 1);
    const files = await readSizes(this.next);
    const label = { version: VERSION, database, number: `${number}`, hash, genesisHash, files };
    await replaceFile(join(this.#path, LABEL), encodeChecked(label), { isSynced: true });
    await syncFolder(this.#path);
    await this.#removeCopies({ but: this.next });
  }

  /** Removes the next copy, which turned out not to be usable. */
  async discard(): Promise<void> {
    await rm(this.next, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lock[Symbol.asyncDispose]();
  }

  async #removeCopies({ but }: { readonly but: string | undefined }): Promise<void> {
    for (const name of await readdir(this.#path)) {
      const copy = join(this.#path, name);
      if (COPY.test(name) && copy !== but) await rm(copy, { recursive: true });
    }
  }
}

/** Finds a backup whose files are all there; throws when there is none. */
export async function findBackup(path: string): Promise<Backup> {
  const { number, hash, genesisHash, ...label } = await readLabel(path);
  const database = join(path, label.database);
  const found = await readSizes(database);
  for (const [name, size] of Object.entries(label.files)) {
    if (found[name] === size) continue;
    const problem = found[name] === undefined ? "is missing" : `has ${found[name]} bytes`;
    throw failed(`${join(database, name)} ${problem}, it was backed up with ${size} bytes`);
  }
  return { head: { number: BigInt(number), hash, genesisHash }, database };
}

async function readLabel(path: string): Promise<Label> {
  const file = join(path, LABEL);
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    throw failed(`${path} is not a backup: it has no readable ${LABEL}`, cause);
  });
  const label = decodeChecked(text) as Label | undefined;
  if (label === undefined) throw failed(`${file} is damaged`);
  if (label.version !== VERSION) {
    throw failed(`${file} has version ${label.version}, this program knows ${VERSION}`);
  }
  return label;
}

async function readSizes(folder: string): Promise<Readonly<Record<string, number>>> {
  const sizes: Record<string, number> = {};
  const names = existsSync(folder) ? await readdir(folder) : [];
  for (const name of names) sizes[name] = (await stat(join(folder, name))).size;
  return sizes;
}

async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, "r");
  await folder.sync();
}

function failed(message: string, cause?: unknown): StorageError {
  return new StorageError("BACKUP_FAILED", { message, cause });
}
