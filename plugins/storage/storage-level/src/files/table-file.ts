import { messageOf } from "@plinth/core";
import { decodeSnappy } from "@plinth/kit-snappy";
import { ByteReader } from "./byte-reader.js";
import { crc32c, maskCrc } from "./crc32c.js";

/** A key as LevelDB stores it, with the sequence number of its write. */
export interface LevelEntry {
  readonly key: Uint8Array;
  readonly sequence: bigint;
  /** `undefined` if the key was deleted. */
  readonly value: Uint8Array | undefined;
}

/** An unreadable place in a table file. */
export interface TableProblem {
  readonly offset: number;
  readonly problem: string;
  /** The last key of the damaged block, and that of the previous one. */
  readonly after?: Uint8Array;
  readonly upTo?: Uint8Array;
}

/** Reads a part of a file. */
export type ReadAt = (offset: number, length: number) => Promise<Uint8Array>;

interface Handle {
  readonly offset: number;
  readonly size: number;
}

type ReadBlock = (readAt: ReadAt, handle: Handle) => Promise<Uint8Array>;

interface IndexEntry {
  readonly lastKey: Uint8Array;
  readonly handle: Handle;
}

const FOOTER_BYTES = 48;
const MAGIC = 0xdb4775248b80fb57n;
const TRAILER_BYTES = 5;
/** Sequence and kind of a change follow the key. */
const SUFFIX_BYTES = 8;
const PUT = 1n;
/** Larger than any block that LevelDB writes, with the largest value a node stores. */
const MAX_BLOCK_BYTES = 1024 * 1024 * 1024;

/** An immutable table of LevelDB (`.ldb`), read and checked without LevelDB. */
export class TableFile {
  readonly #readAt: ReadAt;
  readonly #index: readonly IndexEntry[];

  private constructor(readAt: ReadAt, index: readonly IndexEntry[]) {
    this.#readAt = readAt;
    this.#index = index;
  }

  /** Reads footer, index and filter; throws `RangeError` if one of them is damaged. */
  static async open(readAt: ReadAt, size: number): Promise<TableFile> {
    const index = await TableFile.checkIndex(readAt, size);
    const entries = parseBlock(contentOf(index)).map(({ key, value }) => ({
      lastKey: key,
      handle: readHandle(new ByteReader(value)),
    }));
    return new TableFile(readAt, entries);
  }

  /** Checks footer, index and filter, and returns the index as it is stored; throws `RangeError` if one of them is damaged. */
  static async checkIndex(readAt: ReadAt, size: number): Promise<Uint8Array> {
    if (size < FOOTER_BYTES) throw new RangeError("the file is too short for a table");
    const footer = new ByteReader(await readAt(size - FOOTER_BYTES, FOOTER_BYTES));
    const meta = readHandle(footer);
    const index = readHandle(footer);
    const magic = footer.from(FOOTER_BYTES - 8).readUint64();
    if (magic !== MAGIC || index.offset + index.size + TRAILER_BYTES + FOOTER_BYTES !== size) {
      throw new RangeError("the footer of the table is damaged");
    }
    for (const { value } of parseBlock(await readBlock(readAt, meta))) {
      await readVerified(readAt, readHandle(new ByteReader(value)));
    }
    return readVerified(readAt, index);
  }

  /** The entries of every block that matches its CRC, and the places of those that do not. */
  async *entries(): AsyncGenerator<LevelEntry | TableProblem> {
    for await (const block of this.#blocks(readBlock)) {
      if ("problem" in block) yield block;
      else yield* parseBlock(block.bytes).map(toLevelEntry);
    }
  }

  /** Checks every block against its CRC, and that it can be decompressed; yields `undefined` for each match. */
  check(): AsyncGenerator<TableProblem | undefined> {
    return this.#check(readBlock);
  }

  /** Checks every block against its CRC alone, which takes a fifth of the time. */
  checkSums(): AsyncGenerator<TableProblem | undefined> {
    return this.#check(readVerified);
  }

  async *#check(read: ReadBlock): AsyncGenerator<TableProblem | undefined> {
    for await (const block of this.#blocks(read)) yield "problem" in block ? block : undefined;
  }

  async *#blocks(read: ReadBlock): AsyncGenerator<{ readonly bytes: Uint8Array } | TableProblem> {
    let after: Uint8Array | undefined;
    let end = 0;
    for (const { lastKey, handle } of this.#index) {
      const upTo = lastKey.subarray(0, Math.max(0, lastKey.length - SUFFIX_BYTES));
      const place = { offset: handle.offset, upTo, ...(after && { after }) };
      try {
        if (handle.offset !== end) throw new RangeError("blocks do not follow one another");
        yield { bytes: await read(this.#readAt, handle) };
      } catch (error) {
        yield { ...place, problem: messageOf(error) };
      }
      end = handle.offset + handle.size + TRAILER_BYTES;
      after = upTo;
    }
  }
}

function readHandle(reader: ByteReader): Handle {
  return { offset: reader.readVarint(), size: reader.readVarint() };
}

/** The content of a block. */
async function readBlock(readAt: ReadAt, handle: Handle): Promise<Uint8Array> {
  return contentOf(await readVerified(readAt, handle));
}

/** The content of a block as it is stored. */
function contentOf(stored: Uint8Array): Uint8Array {
  const size = stored.length - TRAILER_BYTES;
  const content = stored.subarray(0, size);
  return stored[size] === 0 ? content : decodeSnappy(content, MAX_BLOCK_BYTES);
}

/** A block as it is stored, with the kind of its compression; verified against its CRC. */
async function readVerified(readAt: ReadAt, { offset, size }: Handle): Promise<Uint8Array> {
  const bytes = await readAt(offset, size + TRAILER_BYTES);
  if (
    maskCrc(crc32c(bytes.subarray(0, size + 1))) !== new ByteReader(bytes, size + 1).readUint32()
  ) {
    throw new RangeError("the CRC of a block does not match");
  }
  return bytes;
}

interface BlockEntry {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/** Keys share a prefix with the previous key. */
function parseBlock(block: Uint8Array): readonly BlockEntry[] {
  const restarts = new ByteReader(block, block.length - 4).readUint32();
  const reader = new ByteReader(block.subarray(0, block.length - 4 * (restarts + 1)));
  const entries: BlockEntry[] = [];
  let key = new Uint8Array();
  while (!reader.isAtEnd) {
    const shared = reader.readVarint();
    const added = reader.readVarint();
    const length = reader.readVarint();
    key = Buffer.concat([key.subarray(0, shared), reader.readBytes(added)]);
    entries.push({ key, value: reader.readBytes(length) });
  }
  return entries;
}

function toLevelEntry({ key, value }: BlockEntry): LevelEntry {
  const suffix = new ByteReader(key, key.length - SUFFIX_BYTES).readUint64();
  return {
    key: key.subarray(0, key.length - SUFFIX_BYTES),
    sequence: suffix >> 8n,
    value: (suffix & 0xffn) === PUT ? value : undefined,
  };
}
