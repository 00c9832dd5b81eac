import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, StorageError } from "@plinth/core";
import type { MarkedHead, MarkerContent, StoredMarker } from "@plinth/core/chain";
import { decodeChecked, encodeChecked, replaceFile } from "@plinth/core/storage";

/** The path of the marker in a data folder. */
export const HEAD_MARKER_FILE = "database-head.json";

const SYNC_EVERY_MS = 1000;

/**
 * A file beside the database that records the last block written to disk.
 *
 * It detects an emptied, older or foreign database. It is written after the block is synced, so
 * that it never names a block that a power failure removes.
 */
export class HeadMarker implements StoredMarker {
  readonly path: string;
  #written: string | undefined;
  #syncedAt = Number.NEGATIVE_INFINITY;

  constructor(dataPath: string) {
    this.path = join(dataPath, HEAD_MARKER_FILE);
  }

  async read(): Promise<MarkerContent> {
    const text = await readFile(this.path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw new StorageError("STORAGE_UNREADABLE", {
        message: `${this.path} cannot be read: ${messageOf(error)}`,
        cause: error,
      });
    });
    return text === undefined ? "missing" : (decodeMarkedHead(text) ?? "damaged");
  }

  /**
   * Writes it atomically: a crash leaves the old or the new one.
   *
   * Synced at most once a second: a power failure may leave one that is a second older, which hides
   * no more than that, and syncing a new file is expensive.
   */
  async write(head: MarkedHead): Promise<void> {
    const text = encodeChecked(toJson(head));
    if (text === this.#written) return;
    const now = performance.now();
    const isSynced = now - this.#syncedAt >= SYNC_EVERY_MS;
    if (isSynced) this.#syncedAt = now;
    await replaceFile(this.path, text, { isSynced });
    this.#written = text;
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
    this.#written = undefined;
  }
}

function toJson({ number, chainId, ...rest }: MarkedHead): object {
  return {
    number: number.toString(),
    ...rest,
    ...(chainId === undefined ? {} : { chainId: chainId.toString() }),
  };
}

function decodeMarkedHead(text: string): MarkedHead | undefined {
  const content = decodeChecked(text);
  if (content === undefined) return undefined;
  const { number, chainId, ...rest } = content as unknown as MarkedHead;
  const isNumber = (value: unknown) => /^\d+$/.test(String(value));
  if (!isNumber(number) || (chainId !== undefined && !isNumber(chainId))) return undefined;
  return {
    ...rest,
    number: BigInt(number),
    chainId: chainId === undefined ? undefined : BigInt(chainId),
  };
}
