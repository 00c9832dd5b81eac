import { existsSync, readdirSync } from "node:fs";
import { mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { ConfigError, StorageError } from "@plinth/core";
import type { MarkedHead } from "@plinth/core/chain";
import { decodeChecked, encodeChecked, replaceFile } from "@plinth/core/storage";
import { LOCK, lockBackup } from "./backup-lock.js";

/** A backup: its blocks, and its location. */
export interface Backup {
  readonly head: Pick<MarkedHead, "number" | "hash" | "genesisHash">;
  /** The folder with the copy of the database. */
  readonly database: string;
}

/** The content of the label, without its checksum. */
interface Label {
  readonly version: number;
  /**
   * The folder of the copy; every backup has a new one, so that the label is switched atomically.
   */
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
const FIRST_COPY = "database-1";

/**
 * The target folder of a backup; an earlier backup in it stays valid until the next is complete.
 */
export class BackupFolder implements AsyncDisposable {
  readonly #path: string;
  readonly #lock: AsyncDisposable;
  readonly earlier: Backup | undefined;
  /** Path of the next copy. */
  readonly next: string;

  private constructor(path: string, lock: AsyncDisposable, earlier: Backup | undefined) {
    this.#path = path;
    this.#lock = lock;
    this.earlier = earlier;
    const number = Number(earlier?.database.match(/\d+$/)?.[0] ?? 0) + 1;
    this.next = earlier === undefined ? join(path, FIRST_COPY) : join(path, `database-${number}`);
  }

  /** Claims a folder; throws if it contains other files, which would be overwritten. */
  static async open(given: string): Promise<BackupFolder> {
    const path = resolve(given);
    const names = existsSync(path) ? readdirSync(path) : [];
    const isBackup = names.includes(LABEL);
    if (!isBackup && names.length > 0 && !isInterrupted(names)) {
      throw new ConfigError("BACKUP_FAILED", {
        message: `${path} is neither empty nor an earlier backup; choose another folder`,
      });
    }
    await mkdir(path, { recursive: true });
    const lock = await lockBackup(path);
    try {
      const folder = new BackupFolder(path, lock, isBackup ? await findBackup(path) : undefined);
      // Left by an interrupted backup.
      await folder.discard();
      return folder;
    } catch (error) {
      await lock[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Makes the next copy the current backup, and removes the earlier one. */
  async complete({ number, hash, genesisHash }: Backup["head"]): Promise<void> {
    const database = basename(this.next);
    const files = await readSizes(this.next);
    const label = { version: VERSION, database, number: `${number}`, hash, genesisHash, files };
    await replaceFile(join(this.#path, LABEL), encodeChecked(label), { isSynced: true });
    await syncFolder(this.#path);
    if (this.earlier !== undefined) {
      await rm(this.earlier.database, { recursive: true, force: true });
    }
  }

  /** Removes the next copy, which turned out to be unusable. */
  async discard(): Promise<void> {
    await rm(this.next, { recursive: true, force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lock[Symbol.asyncDispose]();
  }
}

/** Whether a folder contains only what a killed first backup leaves. */
function isInterrupted(names: readonly string[]): boolean {
  const known = [LOCK, FIRST_COPY, `${LABEL}.tmp`];
  return names.includes(LOCK) && names.every((name) => known.includes(name));
}

/** Finds a complete backup; throws if there is none. */
export async function findBackup(given: string): Promise<Backup> {
  const path = resolve(given);
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
    throw failed(`${file} has version ${label.version}, this program supports ${VERSION}`);
  }
  const isRight =
    COPY.test(String(label.database)) &&
    /^\d+$/.test(String(label.number)) &&
    typeof label.hash === "string" &&
    typeof label.genesisHash === "string" &&
    typeof label.files === "object";
  if (!isRight) throw failed(`${file} is damaged`);
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
