import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { messageOf } from "@plinth/core";
import { decompressFile } from "./compress.js";
import { type FileEntry, MANIFEST, MAX_MANIFEST_BYTES, parseManifest } from "./manifest.js";
import { unreadable } from "./snapshot-error.js";
import type { ReadOptions, SnapshotSource } from "./source.js";

/** Reads a snapshot from a folder. */
export function openDirectory(path: string): SnapshotSource {
  const folder = resolve(path);
  return {
    name: folder,
    async readManifest({ signal }) {
      return parseManifest(await readLimited(join(folder, MANIFEST), MAX_MANIFEST_BYTES, signal));
    },
    async read(file: FileEntry, { signal }: ReadOptions) {
      const path = join(folder, file.name);
      return decompressFile(await readLimited(path, file.compressedBytes, signal), file);
    },
  };
}

async function readLimited(
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  try {
    const found = await stat(path);
    if (!found.isFile()) throw new Error("it is not a file");
    if (found.size > maxBytes) throw new Error(`${found.size} bytes, expected at most ${maxBytes}`);
    return await readFile(path, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw unreadable(path, messageOf(error), error);
  }
}
