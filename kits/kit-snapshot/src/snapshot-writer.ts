import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { messageOf } from "@plinth/core";
import { type CompressedFile, compressFile } from "./compress.js";
import {
  type BlocksFile,
  type CodesFile,
  encodeManifest,
  type FileEntry,
  MANIFEST,
  MAX_FILE_BYTES,
  type Manifest,
  type StateFile,
} from "./manifest.js";
import { createProcessFolder } from "./process-folder.js";
import { unreadable } from "./snapshot-error.js";

/** What the manifest says of a file besides what follows from its bytes. */
export type FileContent =
  | Pick<BlocksFile, "kind" | "firstBlock" | "count">
  | Pick<StateFile, "kind" | "from" | "to">
  | Pick<CodesFile, "kind" | "count">;

/**
 * Writes a snapshot into a folder.
 *
 * The files are written beside it; the folder has its name only once it is complete.
 */
export class SnapshotWriter implements AsyncDisposable {
  readonly #target: string;
  readonly #folder: string;
  readonly #files: FileEntry[] = [];
  readonly #counts = new Map<string, number>();

  private constructor(target: string, folder: string) {
    this.#target = target;
    this.#folder = folder;
  }

  /** Rejects with `SnapshotError` if the folder is not empty or cannot be created. */
  static async create(path: string): Promise<SnapshotWriter> {
    const target = resolve(path);
    const found = await readdir(target).catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return [];
      throw unreadable(target, error.message, error);
    });
    if (found.length > 0) throw unreadable(target, "the folder is not empty; choose another one");
    const parent = dirname(target);
    try {
      await mkdir(parent, { recursive: true });
      const folder = await createProcessFolder(parent, `.${basename(target)}.partial-`);
      return new SnapshotWriter(target, folder);
    } catch (error) {
      throw unreadable(target, messageOf(error), error);
    }
  }

  /** Compresses and writes a file. */
  async add(content: FileContent, bytes: Uint8Array): Promise<FileEntry> {
    const number = this.#counts.get(content.kind) ?? 0;
    this.#counts.set(content.kind, number + 1);
    const name = `${content.kind}-${String(number).padStart(6, "0")}.bin`;
    if (bytes.length > MAX_FILE_BYTES) {
      throw unreadable(name, `${bytes.length} bytes, but files have at most ${MAX_FILE_BYTES}`);
    }
    const { compressed, stored }: CompressedFile = await compressFile(bytes);
    await writeFile(join(this.#folder, name), compressed, { flush: true });
    const entry = { name, ...stored, ...content } as FileEntry;
    this.#files.push(entry);
    return entry;
  }

  /** Writes the manifest, and gives the folder its name; rejects if another process has done so meanwhile. */
  async complete(chain: Omit<Manifest, "files">): Promise<Manifest> {
    const manifest = { ...chain, files: this.#files };
    await writeFile(join(this.#folder, MANIFEST), encodeManifest(manifest), { flush: true });
    // An empty folder is replaced.
    await rename(this.#folder, this.#target).catch((error: unknown) => {
      throw unreadable(this.#target, messageOf(error), error);
    });
    return manifest;
  }

  /** Removes the files of a snapshot that was not completed. */
  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
