import { createHash } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { messageOf, StorageError } from "../../kernel/errors.js";
import type { Logger } from "../../kernel/log.js";
import type { Hash } from "../../primitives/hex.js";

/** The last block that is known to be on the disk, written down outside of the database. */
export interface MarkedHead {
  readonly number: bigint;
  readonly hash: Hash;
  readonly genesisHash: Hash;
  readonly chainId: bigint | undefined;
  /** The storage driver and the version of its format. */
  readonly storage: string;
  readonly format: number;
}

/** Where the marker is in a data folder. */
export const HEAD_MARKER_FILE = "database-head.json";

const SYNC_EVERY_MS = 1000;

/**
 * A file beside the database that says which block was on the disk last.
 *
 * By it an emptied, older or foreign database is noticed. It is written after the block is synced, so that it
 * never names one that a power failure takes away.
 */
export class HeadMarker {
  readonly path: string;
  #written: string | undefined;
  #syncedAt = Number.NEGATIVE_INFINITY;

  constructor(dataPath: string) {
    this.path = join(dataPath, HEAD_MARKER_FILE);
  }

  /** What it says; `undefined` where there is none, or none that can be read, which is logged. */
  async read(log: Logger): Promise<MarkedHead | undefined> {
    const text = await readFile(this.path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw new StorageError("STORAGE_UNREADABLE", {
        message: `${this.path} cannot be read: ${messageOf(error)}`,
        cause: error,
      });
    });
    if (text === undefined) return undefined;
    const head = decode(text);
    if (head === undefined) {
      log.warn(`${this.path} is damaged; this start cannot notice whether blocks are missing`);
    }
    return head;
  }

  /**
   * Writes it so that a crash leaves the old one or the new one.
   *
   * Synced at most once a second: a power failure may leave one that is a second older, which hides no
   * more than that, and a sync of a new file is dear.
   */
  async write(head: MarkedHead): Promise<void> {
    const text = encode(head);
    if (text === this.#written) return;
    const now = performance.now();
    const isDue = now - this.#syncedAt >= SYNC_EVERY_MS;
    if (isDue) this.#syncedAt = now;
    const temporary = `${this.path}.tmp`;
    const file = await open(temporary, "w", 0o644);
    try {
      await file.writeFile(text);
      if (isDue) await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, this.path);
    this.#written = text;
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
    this.#written = undefined;
  }
}

function encode({ number, chainId, ...rest }: MarkedHead): string {
  const content = {
    number: number.toString(),
    ...rest,
    ...(chainId === undefined ? {} : { chainId: chainId.toString() }),
  };
  return `${JSON.stringify({ ...content, checksum: checksumOf(content) }, undefined, 2)}\n`;
}

function decode(text: string): MarkedHead | undefined {
  try {
    const { checksum, ...content } = JSON.parse(text);
    if (checksum !== checksumOf(content)) return undefined;
    const { number, chainId, ...rest } = content;
    return {
      ...rest,
      number: BigInt(number),
      chainId: chainId === undefined ? undefined : BigInt(chainId),
    };
  } catch {
    return undefined;
  }
}

function checksumOf(content: object): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}
