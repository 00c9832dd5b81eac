import type { Body, Receipt, SealedBlock, SealedHeader } from "@plinth/core";
import { type Address, decodeRlp, type Hash, hexToBytes, StorageError, toHex } from "@plinth/core";
import {
  bloomOfHeader,
  decodeBody,
  decodeHeader,
  encodeBody,
  encodeHeader,
  encodeReceipts,
  receiptFromRlp,
  sealHeader,
} from "@plinth/core/blocks";
import type { BlockPruned, EncodedBlock, TransactionPlace } from "@plinth/core/chain";
import { type Bloom, LruMap } from "@plinth/core/primitives";
import type { Table, WriteBatch } from "@plinth/core/storage";
import { TABLES } from "@plinth/core/storage";
import { findUnprovenFrom } from "./joined-at.js";
import { blockPruned, firstRetainedEntry, readFirstRetained } from "./retained-blocks.js";
import { unlessDamaged } from "./unless-damaged.js";

/** A block with the results of its execution. */
export interface ExecutedBlock {
  readonly block: SealedBlock;
  readonly receipts: readonly Receipt[];
  readonly totalDifficulty: bigint;
  /** Whether its senders are recovered when it is read, as nothing needs them now. */
  readonly leavesSenders?: boolean;
}

const HEAD = Buffer.from("head");
/** The headers that were read last: every block reads the head and its parent several times. */
const decodedHeaders = new LruMap<
  Hash,
  { readonly bytes: Uint8Array; readonly header: SealedHeader }
>({
  max: 16,
});
const HASH_BYTES = 32;
const ADDRESS_BYTES = 20;

/**
 * Blocks, receipts and the canonical chain.
 *
 * Reading is synchronous, from the database or a snapshot of it. Writing only fills a batch: the
 * caller that commits it decides what belongs together.
 */
export class ChainStore {
  readonly #table: (name: string) => Table;

  constructor(source: { table(name: string): Table }) {
    const tables = new Map<string, Table>();
    this.#table = (name) => {
      const table = tables.get(name) ?? source.table(name);
      tables.set(name, table);
      return table;
    };
  }

  /** The header of a known block. */
  findHeader(hash: Hash): SealedHeader | undefined {
    const bytes = this.#find(TABLES.headers, hash);
    if (bytes === undefined) return undefined;
    const known = decodedHeaders.get(hash);
    // Other seals may have the same hash.
    if (known !== undefined && Buffer.compare(known.bytes, bytes) === 0) return known.header;
    // The hash is computed by the engine; it is the key, so that it is not computed again.
    const header = sealHeader(decodeHeader(bytes), hash);
    decodedHeaders.set(hash, { bytes, header });
    return header;
  }

  /** Whether the header of a block is stored; does not detect corruption. */
  hasHeader(hash: Hash): boolean {
    return this.#find(TABLES.headers, hash) !== undefined;
  }

  /** Block 0; `undefined` in an empty database. */
  findFirst(): SealedHeader | undefined {
    const hash = this.findHash(0n);
    return hash === undefined ? undefined : this.findHeader(hash);
  }

  /** Whether there is no chain yet; throws `STORAGE_DAMAGED` if there is a head, but no block 0. */
  isEmpty(): boolean {
    if (this.findHash(0n) !== undefined) return false;
    const head = this.#table(TABLES.chain).getSync(HEAD);
    if (head === undefined) return true;
    throw new StorageError("STORAGE_DAMAGED", {
      message: `the database is damaged: it has the head ${toHex(head)}, but the table ${TABLES.canonical} has no block 0`,
      table: TABLES.canonical,
    });
  }

  /** The canonical header with that number; throws `STORAGE_DAMAGED` if it is missing. */
  headerAt(number: bigint): SealedHeader {
    const hash = this.findHash(number);
    const header = hash && this.findHeader(hash);
    if (header !== undefined) return header;
    throw new StorageError("STORAGE_DAMAGED", {
      message: `the database is damaged: the header of block ${number} is missing`,
      table: hash === undefined ? TABLES.canonical : TABLES.headers,
    });
  }

  /** The hash of the canonical block with that number. */
  findHash(number: bigint): Hash | undefined {
    const bytes = this.#table(TABLES.canonical).getSync(numberKey(number));
    return bytes === undefined ? undefined : toHex(bytes);
  }

  /** The bloom of the canonical block with that number; much cheaper than its header. */
  findBloom(number: bigint): Bloom | undefined {
    const key = this.#table(TABLES.canonical).getSync(numberKey(number));
    const bytes = key === undefined ? undefined : this.#table(TABLES.headers).getSync(key);
    return bytes === undefined ? undefined : bloomOfHeader(bytes);
  }

  /** The first block after block 0 whose body and receipts are kept; 0 if all are. */
  firstRetained(): bigint {
    return readFirstRetained(this.#table(TABLES.chain));
  }

  /** The first header after block 0, if this database joined its chain without proof; earlier ones do not exist. */
  findFirstUnproven(): bigint | undefined {
    return findUnprovenFrom(this.#table(TABLES.chain));
  }

  /** Whether bodies and receipts of blocks of this number are no longer kept. */
  isPruned(number: bigint): boolean {
    return number > 0n && number < this.firstRetained();
  }

  /** The error of a body or receipts that are not kept. */
  pruned(number: bigint): BlockPruned {
    return blockPruned(this.#table(TABLES.chain), number);
  }

  /** The body of a known block; throws `BlockPruned` if it is no longer kept. */
  findBody(hash: Hash): Body | undefined {
    const bytes = this.#findRetained(TABLES.bodies, hash);
    return bytes && decodeBody(bytes, this.#findSenders(hash));
  }

  /** A known block, header and body; throws `BlockPruned` if its body is no longer kept. */
  findBlock(hash: Hash): SealedBlock | undefined {
    const header = this.findHeader(hash);
    const body = header === undefined ? undefined : this.findBody(hash);
    return header === undefined || body === undefined ? undefined : { header, body };
  }

  /**
   * The receipts of an executed block, each with the gas of its transaction; throws `BlockPruned` if
   * they are no longer kept.
   */
  findReceipts(hash: Hash): readonly Receipt[] | undefined {
    const bytes = this.#findRetained(TABLES.receipts, hash);
    if (bytes === undefined) return undefined;
    const list = decodeRlp(bytes);
    if (list instanceof Uint8Array) throw damaged(TABLES.receipts, hash);
    let before = 0n;
    return list.map((item) => {
      const receipt = receiptFromRlp(item);
      const gasUsed = receipt.cumulativeGasUsed - before;
      before = receipt.cumulativeGasUsed;
      return { ...receipt, gasUsed };
    });
  }

  /** The receipts of an executed block and its body, both encoded; throws `BlockPruned` if they are no longer kept. */
  findEncoded(hash: Hash): EncodedBlock | undefined {
    const receipts = this.#findRetained(TABLES.receipts, hash);
    return receipts && { receipts, findBody: () => this.#findRetained(TABLES.bodies, hash) };
  }

  /** The total difficulty up to and including a block. */
  findTotalDifficulty(hash: Hash): bigint | undefined {
    const bytes = this.#find(TABLES.totalDifficulties, hash);
    return bytes === undefined ? undefined : BigInt(`0x0${toHex(bytes).slice(2)}`);
  }

  /** The position of a transaction on the canonical chain. */
  findTransaction(hash: Hash): TransactionPlace | undefined {
    const bytes = this.#find(TABLES.transactions, hash);
    if (bytes === undefined) return undefined;
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return {
      blockHash: toHex(bytes.subarray(0, HASH_BYTES)),
      index: view.readUInt32BE(HASH_BYTES),
    };
  }

  /** The head with its body; `undefined` in an empty database. */
  findHeadBlock(): SealedBlock | undefined {
    const header = this.findHead();
    return header && this.findBlock(header.hash);
  }

  /** The total difficulty of a block whose parent is known. */
  weigh({ parentHash, difficulty }: SealedHeader): bigint {
    return (this.findTotalDifficulty(parentHash) ?? 0n) + difficulty;
  }

  /** The hash of the head; `undefined` in an empty database. */
  findHeadHash(): Hash | undefined {
    const bytes = this.#table(TABLES.chain).getSync(HEAD);
    return bytes && toHex(bytes);
  }

  /** The head of the canonical chain; `undefined` in an empty database. */
  findHead(): SealedHeader | undefined {
    const hash = this.findHeadHash();
    if (hash === undefined) return undefined;
    const header = this.findHeader(hash);
    if (header === undefined) throw damaged(TABLES.headers, hash);
    return header;
  }

  /** Adds a block, on any branch. */
  putBlock(batch: WriteBatch, executed: ExecutedBlock): void {
    const { block, receipts, totalDifficulty, leavesSenders = false } = executed;
    const { header, body } = block;
    const key = hexToBytes(header.hash);
    batch.put(TABLES.headers, key, encodeHeader(header));
    batch.put(TABLES.bodies, key, encodeBody(body));
    const hasSenders = body.transactions.length > 0 && !leavesSenders;
    if (hasSenders) batch.put(TABLES.senders, key, sendersBytes(body));
    batch.put(TABLES.receipts, key, encodeReceipts(receipts));
    this.putTotalDifficulty(batch, header.hash, totalDifficulty);
  }

  /** Adds the header of a block of the canonical chain, without its body. */
  putHeader(batch: Pick<WriteBatch, "put">, header: SealedHeader, totalDifficulty: bigint): void {
    const key = hexToBytes(header.hash);
    batch.put(TABLES.headers, key, encodeHeader(header));
    batch.put(TABLES.canonical, numberKey(header.number), key);
    this.putTotalDifficulty(batch, header.hash, totalDifficulty);
  }

  /** Writes the total difficulty of a block. */
  putTotalDifficulty(batch: Pick<WriteBatch, "put">, hash: Hash, totalDifficulty: bigint): void {
    batch.put(TABLES.totalDifficulties, hexToBytes(hash), amountBytes(totalDifficulty));
  }

  /** Makes a block the canonical one of its number, with its transactions. */
  addToCanonical(batch: WriteBatch, { header, body }: SealedBlock): void {
    const block = hexToBytes(header.hash);
    batch.put(TABLES.canonical, numberKey(header.number), block);
    for (const [index, { hash }] of body.transactions.entries()) {
      batch.put(TABLES.transactions, hexToBytes(hash), placeBytes(block, index));
    }
  }

  /**
   * Adds body and receipts of a block of the canonical chain whose header is stored; returns their
   * size. Its senders are recovered when it is read.
   */
  putOlder(batch: WriteBatch, { block, receipts }: Omit<ExecutedBlock, "totalDifficulty">): number {
    const key = hexToBytes(block.header.hash);
    const body = encodeBody(block.body);
    const results = encodeReceipts(receipts);
    batch.put(TABLES.bodies, key, body);
    batch.put(TABLES.receipts, key, results);
    this.addToCanonical(batch, block);
    return body.length + results.length;
  }

  /** Removes a block from the canonical chain; it stays known. */
  removeFromCanonical(batch: WriteBatch, { header, body }: SealedBlock): void {
    batch.delete(TABLES.canonical, numberKey(header.number));
    for (const { hash } of body.transactions) batch.delete(TABLES.transactions, hexToBytes(hash));
  }

  /** Removes everything of a block, and of its transactions, but its header, number and total difficulty. */
  removeBody(
    batch: WriteBatch,
    block: Hash,
    transactions: readonly { readonly hash: Hash }[] = [],
  ): void {
    const key = hexToBytes(block);
    for (const table of [TABLES.bodies, TABLES.senders, TABLES.receipts]) batch.delete(table, key);
    for (const { hash } of transactions) {
      const place = unlessDamaged(() => this.findTransaction(hash));
      const isElsewhere = place !== undefined && place.blockHash !== block;
      if (!isElsewhere) batch.delete(TABLES.transactions, hexToBytes(hash));
    }
  }

  /** Sets the first block whose body and receipts are kept. */
  setFirstRetained(batch: WriteBatch, number: bigint): void {
    batch.put(TABLES.chain, ...firstRetainedEntry(number));
  }

  /** Sets the head. */
  setHead(batch: WriteBatch, hash: Hash): void {
    batch.put(TABLES.chain, HEAD, hexToBytes(hash));
  }

  /** A body or receipts; throws `BlockPruned` if they are no longer kept. */
  #findRetained(table: string, hash: Hash): Uint8Array | undefined {
    const bytes = this.#find(table, hash);
    const number = bytes === undefined ? this.findHeader(hash)?.number : undefined;
    if (number !== undefined && this.isPruned(number)) throw this.pruned(number);
    return bytes;
  }

  /** Stored, because recovering them is the most expensive part of reading a block. */
  #findSenders(hash: Hash): readonly Address[] {
    const bytes = this.#find(TABLES.senders, hash);
    if (bytes === undefined) return [];
    return Array.from({ length: bytes.length / ADDRESS_BYTES }, (_, index) =>
      toHex(bytes.subarray(index * ADDRESS_BYTES, (index + 1) * ADDRESS_BYTES)),
    );
  }

  #find(table: string, hash: Hash): Uint8Array | undefined {
    return this.#table(table).getSync(hexToBytes(hash));
  }
}

function sendersBytes({ transactions }: Body): Uint8Array {
  return Buffer.concat(transactions.map(({ sender }) => hexToBytes(sender)));
}

/** Big-endian, so that the order of keys is the order of numbers. */
function numberKey(number: bigint): Uint8Array {
  const key = Buffer.alloc(8);
  key.writeBigUInt64BE(number);
  return key;
}

function amountBytes(amount: bigint): Uint8Array {
  const digits = amount.toString(16);
  return hexToBytes(digits.length % 2 === 0 ? digits : `0${digits}`);
}

function placeBytes(blockHash: Uint8Array, index: number): Uint8Array {
  const bytes = Buffer.alloc(HASH_BYTES + 4);
  bytes.set(blockHash);
  bytes.writeUInt32BE(index, HASH_BYTES);
  return bytes;
}

function damaged(table: string, hash: Hash): StorageError {
  return new StorageError("STORAGE_DAMAGED", {
    message: `the database is damaged: ${table} of block ${hash} cannot be read`,
    table,
    hash,
  });
}
