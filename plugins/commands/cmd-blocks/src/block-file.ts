import { type FileHandle, open } from "node:fs/promises";
import { PlinthError, RlpError } from "@plinth/core";
import { rlpLength } from "@plinth/core/primitives";

/** A block of a file. */
export interface StoredBlock {
  readonly bytes: Uint8Array;
  /** Its offset. */
  readonly offset: number;
}

const CHUNK_BYTES = 1024 * 1024;
/** The longest RLP prefix with the length of an item. */
const PREFIX_BYTES = 9;
/** Ten times the largest block that any current gas limit allows. */
const MAX_BLOCK_BYTES = 256 * 1024 * 1024;

/** Reads consecutive blocks of a file, each on demand. */
export class BlockFile implements AsyncDisposable {
  readonly size: number;
  readonly #path: string;
  readonly #file: FileHandle;
  #rest = Buffer.alloc(0);
  /** Offset of the first unused byte. */
  #offset = 0;

  private constructor(path: string, file: FileHandle, size: number) {
    this.#path = path;
    this.#file = file;
    this.size = size;
  }

  static async open(path: string): Promise<BlockFile> {
    const file = await open(path).catch((cause: NodeJS.ErrnoException) => {
      const message =
        cause.code === "ENOENT"
          ? `Could not find file to import: ${path}`
          : `Unable to import blocks from ${path}: ${cause.message}`;
      throw new PlinthError("IMPORT_FAILED", { message, cause });
    });
    return new BlockFile(path, file, (await file.stat()).size);
  }

  /** The blocks, in order; throws `IMPORT_FAILED` if the file is damaged. */
  async *blocks(): AsyncGenerator<StoredBlock> {
    for (;;) {
      await this.#fill(PREFIX_BYTES);
      if (this.#rest.length === 0) return;
      const length = this.#nextLength();
      await this.#fill(length);
      if (this.#rest.length < length) {
        throw this.#damaged(`it ends after ${this.#rest.length} of ${length} bytes of a block`);
      }
      const bytes = this.#rest.subarray(0, length);
      yield { bytes, offset: this.#offset };
      this.#rest = this.#rest.subarray(length);
      this.#offset += length;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file.close();
  }

  #nextLength(): number {
    let length: number;
    try {
      length = rlpLength(this.#rest);
    } catch (error) {
      if (!(error instanceof RlpError)) throw error;
      throw this.#damaged(error.message);
    }
    if (length <= MAX_BLOCK_BYTES) return length;
    throw this.#damaged(`a block of ${length} bytes is longer than any block can be`);
  }

  /** Reads until so many bytes are available, or the file ends. */
  async #fill(length: number): Promise<void> {
    while (this.#rest.length < length) {
      const chunk = Buffer.allocUnsafe(Math.max(CHUNK_BYTES, length - this.#rest.length));
      const { bytesRead } = await this.#file.read(chunk, 0, chunk.length);
      if (bytesRead === 0) return;
      this.#rest = Buffer.concat([this.#rest, chunk.subarray(0, bytesRead)]);
    }
  }

  #damaged(problem: string): PlinthError {
    return new PlinthError("IMPORT_FAILED", {
      message: `Unable to import blocks from ${this.#path}: at byte ${this.#offset}, ${problem}`,
      path: this.#path,
    });
  }
}
