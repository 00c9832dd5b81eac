import { randomBytes } from "node:crypto";
import {
  type BlockReader,
  type Clock,
  type CommitEvent,
  type Hash,
  InvariantError,
  type PluginTable,
  toHex,
} from "@plinth/core";
import { Signal, type WaitLimits } from "@plinth/core/async";
import type { TableChange } from "@plinth/core/storage";
import {
  type ChangeKind,
  type ChangeRecord,
  createRecord,
  decodeRecord,
  encodeRecord,
  unreadable,
} from "./change-record.js";
import { type Cursor, CursorRefused } from "./cursor.js";
import type { RecordPosition } from "./record-chain.js";
import { decodeStart, encodeStart, type StreamStart } from "./stream-start.js";

/** The parts of a chain by which the end of a stream is compared with it. */
export type StreamedChain = Pick<BlockReader, "head" | "findHeader">;

/** A stream as it is now. */
export interface StreamDescriptor extends StreamStart {
  /** The first record that is kept; one more than the last if there is none. */
  readonly firstSequence: bigint;
  /** The block of that record; `undefined` if there is none. */
  readonly firstBlock: bigint | undefined;
  /** The last record; 0 if there is none. */
  readonly lastSequence: bigint;
  /** Its hash; the id of the stream if there is none. */
  readonly lastHash: Hash;
}

/** The settings of a stream. */
export interface StreamSettings {
  /** Number of records that are kept. */
  readonly retained: number;
  readonly clock?: Clock;
}

/** Why a stream begins. */
export type Beginning = "first" | "gap" | undefined;

const START_KEY = Buffer.from("start");
const FIRST_KEY = keyOf(0n);
/** After all records, and before the start. */
const END_KEY = keyOf(2n ** 62n);
/** Number of old records that are removed with one change, besides as many as it adds. */
const MAX_REMOVED = 64n;
/** Number of entries that are removed at once when another stream begins. */
const REMOVED_AT_ONCE = 10_000;

/**
 * The stream of changes, in a table.
 *
 * Records are written in the batch of the change itself, so that the table ends with the head, whenever the process ends.
 * If it does not, the chain was changed without it, and another stream begins.
 */
export class StoredStream {
  readonly #table: PluginTable;
  readonly #retained: bigint;
  readonly #start: StreamStart;
  readonly #moved: Signal;
  /** Why it began when it was opened; `undefined` if it continues. */
  readonly beginning: Beginning;
  #first: bigint;
  #last: RecordPosition;
  /** The head after the last record. */
  #head: Hash | undefined;

  private constructor(
    table: PluginTable,
    { retained, clock }: StreamSettings,
    found: FoundStream & { readonly beginning: Beginning },
  ) {
    this.#table = table;
    this.#retained = BigInt(retained);
    this.#moved = new Signal(clock);
    this.#start = found.start;
    this.#first = found.first;
    this.#last = found.last;
    this.#head = found.head;
    this.beginning = found.beginning;
  }

  /** Opens the stream of a table if it ends with the head of the chain, otherwise begins another one. */
  static async open(
    table: PluginTable,
    chain: StreamedChain,
    settings: StreamSettings,
  ): Promise<StoredStream> {
    const found = await findStream(table, chain);
    if (found !== undefined && found.head === chain.head().hash) {
      return new StoredStream(table, settings, { ...found, beginning: undefined });
    }
    const begun = await beginStream(table, chain);
    const beginning = found === undefined ? "first" : "gap";
    return new StoredStream(table, settings, { ...begun, beginning });
  }

  /** The stream as it is now. */
  get descriptor(): StreamDescriptor {
    return {
      ...this.#start,
      firstSequence: this.#first,
      firstBlock: this.#get(this.#first)?.number,
      lastSequence: this.#last.sequence,
      lastHash: this.#last.hash,
    };
  }

  /** Number of records that are kept. */
  get count(): number {
    return Number(this.#last.sequence - this.#first + 1n);
  }

  /** Adds the records of a change to its batch; returns their number. */
  append({ added, removed, batch }: Pick<CommitEvent, "added" | "removed" | "batch">): number {
    const first = added[0]?.header;
    const before = removed[0]?.header.hash ?? first?.parentHash;
    if (before === undefined) return 0;
    if (before !== this.#head) {
      throw new InvariantError(
        `the stream of changes ends with the block ${this.#head}, but a change follows ${before}`,
      );
    }
    let last = this.#last;
    const append = (kind: ChangeKind, { number, hash }: { number: bigint; hash: Hash }) => {
      const sequence = last.sequence + 1n;
      const content = { sequence, kind, number, blockHash: hash, previous: last.hash };
      const record = createRecord(content);
      batch.put(this.#table, keyOf(sequence), encodeRecord(record));
      last = record;
    };
    for (const { header } of removed) append("removed", header);
    for (const { header } of added) append("added", header);
    const count = added.length + removed.length;
    const kept = this.#prune(batch, last.sequence, BigInt(count));
    const head = added.at(-1)?.header.hash ?? removed.at(-1)?.header.parentHash ?? before;
    batch.onCommitted(() => {
      this.#last = { sequence: last.sequence, hash: last.hash };
      this.#first = kept;
      this.#head = head;
      this.#moved.notify();
    });
    return count;
  }

  /** The record with a number; `undefined` if there is none yet. Throws `CursorRefused` if it is no longer kept. */
  find(sequence: bigint): ChangeRecord | undefined {
    if (sequence > this.#last.sequence) return undefined;
    if (sequence < this.#first) throw this.#pruned(sequence);
    const record = this.#get(sequence);
    if (record !== undefined) return record;
    throw unreadable(`record ${sequence}`);
  }

  /** Throws `CursorRefused` unless the record of a cursor is here, or is the next one to come. */
  verify({ sequence, previous }: Cursor): void {
    if (sequence < this.#first) throw this.#pruned(sequence);
    if (sequence > this.#last.sequence + 1n) {
      throw new CursorRefused(
        "beyond",
        `the record ${sequence} does not exist yet: ${this.#describe()}, and the next one is ${this.#last.sequence + 1n}`,
      );
    }
    const actual = this.find(sequence)?.previous ?? this.#last.hash;
    if (previous === undefined || previous === actual) return;
    throw new CursorRefused(
      "other-stream",
      `the record ${sequence} follows ${actual}, not ${previous}: ${this.#describe()}; it is another stream than the reader's, or has lost records`,
    );
  }

  /** Resolves to `true` once there is a record with a number, to `false` on timeout or when the signal aborts. */
  async wait(sequence: bigint, limits: WaitLimits): Promise<boolean> {
    if (sequence <= this.#last.sequence) return true;
    while (await this.#moved.nextWithin(limits)) {
      if (sequence <= this.#last.sequence) return true;
    }
    return false;
  }

  /** Removes the oldest records, no more than a few for each that is added; returns the first that is kept. */
  #prune(batch: CommitEvent["batch"], last: bigint, added: bigint): bigint {
    const end = this.#first + added + MAX_REMOVED;
    const first = last - this.#retained + 1n;
    const kept = first < end ? first : end;
    for (let sequence = this.#first; sequence < kept; sequence++) {
      batch.delete(this.#table, keyOf(sequence));
    }
    return kept > this.#first ? kept : this.#first;
  }

  #get(sequence: bigint): ChangeRecord | undefined {
    const bytes = this.#table.getSync(keyOf(sequence));
    return bytes && decodeRecord(sequence, bytes);
  }

  #pruned(sequence: bigint): CursorRefused {
    return new CursorRefused(
      "pruned",
      `the record ${sequence} is no longer kept: ${this.#describe()}; --changes-retained limits their number`,
    );
  }

  #describe(): string {
    const { sequence } = this.#last;
    const range =
      sequence < this.#first
        ? `no records, from ${this.#first} on`
        : `the records ${this.#first} to ${sequence}`;
    return `the stream ${this.#start.id} has ${range}`;
  }
}

/** A stream in a table. */
interface FoundStream {
  readonly start: StreamStart;
  readonly first: bigint;
  readonly last: RecordPosition;
  readonly head: Hash | undefined;
}

async function findStream(
  table: PluginTable,
  chain: StreamedChain,
): Promise<FoundStream | undefined> {
  const bytes = table.getSync(START_KEY);
  const start = bytes && decodeStart(bytes);
  if (start === undefined) return undefined;
  const last = await findEnd(table, { reverse: true });
  if (last === undefined) {
    return { start, first: 1n, last: { sequence: 0n, hash: start.id }, head: start.hash };
  }
  const first = (await findEnd(table, { reverse: false })) ?? last;
  return { start, first: first.sequence, last, head: headAfter(last, chain) };
}

/** The first or the last record. */
async function findEnd(
  table: PluginTable,
  { reverse }: { readonly reverse: boolean },
): Promise<ChangeRecord | undefined> {
  const range = { from: FIRST_KEY, to: END_KEY, limit: 1, reverse };
  for await (const [key, value] of table.iterate(range)) {
    return decodeRecord(Buffer.from(key).readBigUInt64BE(), value);
  }
  return undefined;
}

/** The head of the chain after a record; `undefined` if its block is not known. */
function headAfter({ kind, blockHash }: ChangeRecord, chain: StreamedChain): Hash | undefined {
  return kind === "added" ? blockHash : chain.findHeader(blockHash)?.parentHash;
}

/** Removes what is in the table; the start first, so that a stream that is only partly there is not continued. */
async function beginStream(table: PluginTable, chain: StreamedChain): Promise<FoundStream> {
  await table.write([[START_KEY, undefined]]);
  let removed: TableChange[] = [];
  for await (const [key] of table.iterate()) {
    removed.push([key, undefined]);
    if (removed.length < REMOVED_AT_ONCE) continue;
    await table.write(removed);
    removed = [];
  }
  const { number, hash } = chain.head();
  const start = { id: toHex(randomBytes(32)), number, hash };
  await table.write([...removed, [START_KEY, encodeStart(start)]]);
  return { start, first: 1n, last: { sequence: 0n, hash: start.id }, head: hash };
}

function keyOf(sequence: bigint): Uint8Array {
  const key = Buffer.alloc(8);
  key.writeBigUInt64BE(sequence);
  return key;
}
