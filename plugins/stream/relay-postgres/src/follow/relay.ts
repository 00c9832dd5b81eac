import {
  type BlockReader,
  InvariantError,
  PlinthError,
  type SealedHeader,
  StorageError,
  Yielder,
} from "@plinth/core";
import { BlockPruned, StatePruned } from "@plinth/core/chain";
import { type ChangeRecord, type ChangeStream, CursorRefused } from "@plinth/plugin-changes/api";
import type { Database } from "../database/database.js";
import {
  type AllBalances,
  type BalancedChain,
  findChangedBalances,
  openAllBalances,
} from "../rows/balance-rows.js";
import type { ReceiptedBlock, Rows } from "../rows/block-rows.js";
import type { BlockPoint, CursorRow, StreamPoint } from "../schema/cursor-row.js";
import { Batch, type RelayedBlock } from "./batch.js";
import { commitBatch } from "./commit-batch.js";
import { findCommonBlock } from "./common-block.js";
import { packRows, sizeOfRows } from "./packed-rows.js";

/** For the balances after an earlier block than the head, no more blocks are undone. */
const MAX_BLOCKS_BACK = 128n;

/** The parts of a chain that are relayed. */
export type RelayedChain = BalancedChain &
  Pick<BlockReader, "findBlock" | "findHeader" | "findReceipts" | "firstRetained" | "head">;

/** What a relay works with. */
export interface RelaySettings {
  readonly chain: RelayedChain;
  /** The rows of a block, except for those of balances. */
  readonly rowsOf: (block: ReceiptedBlock) => Rows;
  /** The channel that is notified of each commit. */
  readonly channel: string;
  /** Batches end when they exceed one of these. */
  readonly limits: BatchLimits;
  readonly events: RelayEvents;
}

/** The largest batches. */
export interface BatchLimits {
  readonly blocks: number;
  readonly bytes: number;
}

/** What a relay reports. */
export interface RelayEvents {
  committed(cursor: CursorRow, batch: Batch): void;
  warned(message: string): void;
}

/** A block up to which the chain is copied, and the position after it in a stream. */
export interface CopyEnd {
  readonly block: BlockPoint;
  readonly stream: StreamPoint | undefined;
}

/**
 * Writes the canonical chain into a database, and follows it.
 *
 * If the cursor of the database fits the stream, it continues there. Otherwise blocks are read from the chain, from the
 * last common one on, up to a known end of the stream.
 */
export class Relay {
  readonly #database: Database;
  readonly #settings: RelaySettings;
  /** The cursor that is committed. */
  #cursor: CursorRow;
  /** The commit in progress: while one is written, the next batch is read. */
  #writing: Promise<void> = Promise.resolve();
  #hasWarned = false;

  constructor(database: Database, cursor: CursorRow, settings: RelaySettings) {
    this.#database = database;
    this.#cursor = cursor;
    this.#settings = settings;
  }

  /** The cursor that is committed. */
  get cursor(): CursorRow {
    return this.#cursor;
  }

  /** Relays until the signal aborts; rejects if the database fails. */
  async run(stream: ChangeStream, signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        if (this.#isIn(stream)) await this.#follow(stream, signal);
        await this.#writing;
        if (signal.aborted) return;
        // The record or its block is no longer kept: to follow again would not end.
        const { lastSequence } = stream.descriptor;
        await this.copyChain(this.#endOf(stream), signal);
        await this.#writing;
        // The chain has changed meanwhile, or has none of the blocks yet.
        if (this.#cursor.stream === undefined) await stream.wait(lastSequence + 1n, { signal });
      }
    } finally {
      await this.#writing.catch(() => {});
    }
  }

  /** Makes the tables equal to the canonical chain up to a block, without the records of a stream. */
  async copyChain(end: CopyEnd, signal: AbortSignal): Promise<void> {
    const { chain, limits } = this.#settings;
    const find = (number: bigint) => chain.findHeader(number);
    const common = await findCommonBlock(this.#database, this.#cursor, find);
    let batch = new Batch(this.#cursor);
    if (common?.hash !== this.#cursor.block?.hash) batch.keepUntil(common);
    batch.moveTo(undefined);
    const turns = new Yielder();
    for (let number = this.#firstMissing(common); number <= end.block.number; number++) {
      const relayed = await this.#readCanonical(number, batch.head);
      // The chain was reorganized meanwhile: the next common block is an earlier one.
      if (relayed === undefined) break;
      batch.add(relayed);
      if (isFull(batch, limits)) batch = await this.#commit(batch);
      if (signal.aborted) return;
      await turns.yield();
    }
    if (batch.head?.hash === end.block.hash) batch.moveTo(end.stream);
    await this.#commit(batch);
    await this.#writing;
  }

  /** Follows the stream, until a record or its block is no longer kept. */
  async #follow(stream: ChangeStream, signal: AbortSignal): Promise<void> {
    const { limits } = this.#settings;
    let batch = new Batch(this.#cursor);
    const turns = new Yielder();
    while (!signal.aborted) {
      const sequence = (batch.stream?.sequence ?? 0n) + 1n;
      const record = findKept(stream, sequence);
      if (record === undefined) return;
      if (record !== "future") {
        if (!(await this.#apply(stream, record, batch))) return;
        if (isFull(batch, limits)) batch = await this.#commit(batch);
        await turns.yield();
      } else if (batch.stream !== this.#cursor.stream) {
        batch = await this.#commit(batch);
        await this.#writing;
      } else {
        await stream.wait(sequence, { signal });
      }
    }
  }

  /** Adds a record to a batch; returns whether its block is still kept. */
  async #apply(stream: ChangeStream, record: ChangeRecord, batch: Batch): Promise<boolean> {
    const { sequence, kind, number, blockHash: hash } = record;
    const id = batch.stream?.id ?? record.previous;
    if (kind === "added") {
      const relayed = await this.#readRecord(stream, record);
      if (relayed === undefined) return false;
      batch.add(relayed);
    } else {
      const header = this.#settings.chain.findHeader(hash);
      if (header === undefined) return false;
      batch.remove({ number, hash }, { number: number - 1n, hash: header.parentHash });
    }
    batch.moveTo({ id, sequence, hash: record.hash });
    return true;
  }

  async #readRecord(stream: ChangeStream, record: ChangeRecord): Promise<RelayedBlock | undefined> {
    try {
      const { added } = await stream.load(record);
      return added && (await this.#relay(added));
    } catch (error) {
      if (error instanceof BlockPruned) return undefined;
      throw error;
    }
  }

  /** A block of the canonical chain; `undefined` if it is beyond its head, or does not follow the last one. */
  async #readCanonical(
    number: bigint,
    parent: BlockPoint | undefined,
  ): Promise<RelayedBlock | undefined> {
    const { chain } = this.#settings;
    const block = chain.findBlock(number);
    if (block === undefined) {
      if (number > chain.head().number) return undefined;
      throw new StorageError("STORAGE_DAMAGED", {
        message: `the database is damaged: block ${number} of the canonical chain is missing`,
      });
    }
    const { parentHash, hash } = block.header;
    if (parent !== undefined && parent.hash !== parentHash) return undefined;
    const receipts = chain.findReceipts(hash) ?? [];
    return this.#relay({ block, receipts });
  }

  async #relay(received: ReceiptedBlock): Promise<RelayedBlock> {
    const { header } = received.block;
    const balances = await findChangedBalances(this.#settings.chain, header);
    const rows = { ...this.#settings.rowsOf(received), ...(balances && { balances }) };
    const packed = Object.entries(rows).map(([table, each]) => [table, packRows(each)] as const);
    return {
      ...{ number: header.number, hash: header.hash },
      rows: Object.fromEntries(packed),
      bytes: packed.reduce((sum, [, each]) => sum + sizeOfRows(each), 0),
      hasBalances: balances !== undefined,
    };
  }

  /** Starts to write a batch once the one before is committed; returns the next one. */
  async #commit(batch: Batch): Promise<Batch> {
    await this.#writing;
    this.#writing = this.#write(batch);
    // It is awaited before the next one; until then a failure is not unhandled.
    this.#writing.catch(() => {});
    return new Batch({ block: batch.head, stream: batch.stream });
  }

  async #write(batch: Batch): Promise<void> {
    const { channel, events } = this.#settings;
    this.#cursor = await commitBatch(this.#database, this.#cursor, batch, {
      channel,
      openBalances: () => this.#openBalances(batch),
    });
    events.committed(this.#cursor, batch);
  }

  /** All balances after a block of the batch, if they can be read, and then those of each block. */
  async #openBalances({ head, added }: Batch): Promise<AllBalances | undefined> {
    const { chain } = this.#settings;
    const limits = { maxBlocksBack: MAX_BLOCKS_BACK };
    const [first, ...others] = added;
    const genesis = first?.number === 0n ? chain.findHeader(first.hash) : undefined;
    if (genesis !== undefined && others.every(({ hasBalances }) => hasBalances)) {
      const found = await openAllBalances(chain, genesis, limits);
      if (found !== undefined) return found;
    }
    // Until the head is reached, those of the next batch can be unknown as well.
    if (head === undefined || head.hash !== chain.head().hash) return undefined;
    const header = chain.findHeader(head.hash);
    const isKnown = header !== undefined && this.#knowsChanges(header);
    return isKnown ? openAllBalances(chain, header, limits) : undefined;
  }

  /** Whether the node has what blocks change; warns once if it has not. */
  #knowsChanges(header: SealedHeader): boolean {
    const { chain, events } = this.#settings;
    try {
      for (const _ of chain.changesOf(header)) break;
      return true;
    } catch (error) {
      if (!(error instanceof StatePruned)) throw error;
      if (!this.#hasWarned) events.warned(`the table balances stays empty: ${error.message}`);
      this.#hasWarned = true;
      return false;
    }
  }

  #isIn(stream: ChangeStream): boolean {
    const at = this.#cursor.stream;
    if (at === undefined || at.id !== stream.descriptor.id) return false;
    try {
      stream.verify({ sequence: at.sequence + 1n, previous: at.hash });
      return true;
    } catch (error) {
      if (error instanceof CursorRefused) return false;
      throw error;
    }
  }

  /** The end of the stream, and the head after it. */
  #endOf(stream: ChangeStream): CopyEnd {
    const { chain } = this.#settings;
    const { id, number, hash, lastSequence, lastHash } = stream.descriptor;
    const at = { id, sequence: lastSequence, hash: lastHash };
    const record = lastSequence === 0n ? undefined : stream.find(lastSequence);
    if (record === undefined) return { stream: at, block: { number, hash } };
    const added = { number: record.number, hash: record.blockHash };
    if (record.kind === "added") return { stream: at, block: added };
    const parentHash = chain.findHeader(record.blockHash)?.parentHash;
    if (parentHash === undefined) throw new InvariantError(`block ${added.hash} has no header`);
    return { stream: at, block: { number: record.number - 1n, hash: parentHash } };
  }

  /** The first block after the common one; throws `PlinthError` if it is no longer kept. */
  #firstMissing(common: BlockPoint | undefined): bigint {
    const { chain, events } = this.#settings;
    const next = common === undefined ? 0n : common.number + 1n;
    const first = chain.firstRetained();
    if (next >= first || next > chain.head().number) return next;
    if (common === undefined) {
      events.warned(
        `the tables begin with block ${first}: earlier ones are no longer kept by this node (--blocks-retained)`,
      );
      return first;
    }
    throw new PlinthError("RELAY_BLOCKS_PRUNED", {
      message: `the tables end with block ${common.number}, and this node keeps blocks from ${first} on (--blocks-retained); relay from a node that has the blocks in between, or begin at block ${first} with another schema (--relay-postgres-schema)`,
    });
  }
}

/** A record; `undefined` if it is no longer kept. */
function findKept(stream: ChangeStream, sequence: bigint): ChangeRecord | "future" | undefined {
  try {
    return stream.find(sequence) ?? "future";
  } catch (error) {
    if (error instanceof CursorRefused) return undefined;
    throw error;
  }
}

function isFull(batch: Batch, { blocks, bytes }: BatchLimits): boolean {
  return batch.added.length >= blocks || batch.bytes >= bytes;
}
