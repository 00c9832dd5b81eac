import {
  type Address,
  type BlockReader,
  type CommitEvent,
  hexToBytes,
  type PluginTable,
  type SealedHeader,
  toHex,
} from "@plinth/core";
import { Signal } from "@plinth/core/async";
import type { Entry, TableChange } from "@plinth/core/storage";
import {
  Coverage,
  type CoveredRun,
  type FilledIndex,
  PendingRewind,
  withoutOtherBlocks,
} from "@plinth/kit-index";
import { entriesOf } from "./block-record.js";
import {
  COVERAGE_KEY,
  decodePosition,
  KINDS,
  keyRange,
  nonceKey,
  numberIn,
  positionIn,
  recordKey,
} from "./index-key.js";
import type { ReadRecord, RecordOrder } from "./record-query.js";
import type {
  AddressIndex,
  ContractCreation,
  PositionRange,
  TransactionPosition,
} from "./service.js";

/** The parts of a chain that the index needs. */
export type IndexedChain = Pick<
  BlockReader,
  "head" | "findHeader" | "firstRetained" | "oldestStates"
>;

/** Executes blocks again, and returns their entries. */
export type ReadRecords = (
  order: RecordOrder,
  signal: AbortSignal,
) => Promise<readonly ReadRecord[]>;

/** Maximum number of blocks of a batch. */
const MAX_BLOCKS = 256n;
/** Number of entries that are removed at once. */
const MAX_REMOVED = 10_000;
const NOTHING = new Uint8Array();

/**
 * Which transactions an address takes part in, in a table.
 *
 * Entries, the record of their block and the coverage are written atomically, behind the head. Entries of blocks that
 * leave the chain are removed in the batch of the change, and uncovered in advance: only covered blocks are read, so the
 * index may lack blocks, but is never wrong.
 */
export class StoredAddressIndex implements AddressIndex, FilledIndex {
  readonly #table: PluginTable;
  readonly #chain: IndexedChain;
  readonly #read: ReadRecords;
  readonly #rewind: PendingRewind;
  readonly #moved = new Signal();
  /** Records of a batch that is being written: a change of the chain has to remove them as well. */
  #writing: ReadonlyMap<bigint, Uint8Array> = new Map();
  #coverage: Coverage;
  /** Earlier blocks cannot be executed. */
  #firstPossible = 0n;
  #version = 0;
  /** Whether entries of blocks that left the chain while the index was off have been removed. */
  #isClean = false;

  constructor(table: PluginTable, chain: IndexedChain, read: ReadRecords) {
    this.#table = table;
    this.#chain = chain;
    this.#read = read;
    this.#rewind = new PendingRewind(chain);
    const stored = Coverage.decode(table.getSync(COVERAGE_KEY) ?? NOTHING);
    this.#coverage = withoutOtherBlocks(stored, chain);
  }

  get version(): number {
    return this.#version;
  }

  /** Invalidates all earlier results. */
  retire(): void {
    this.#version += 1;
    this.#moved.notify();
  }

  get blockCount(): bigint {
    return this.#coverage.count;
  }

  get isComplete(): boolean {
    return this.#firstMissing > this.#chain.head().number;
  }

  /** Whether a search waits for the head. */
  get isAwaited(): boolean {
    return this.#moved.isAwaited;
  }

  get firstBlock(): bigint | undefined {
    const first = this.#coverage.runs.at(-1)?.first;
    const retained = this.#chain.firstRetained();
    return first !== undefined && first < retained ? retained : first;
  }

  get lastBlock(): bigint | undefined {
    return this.#coverage.runs.at(-1)?.last;
  }

  async waitForHead({
    timeoutMs,
    signal,
  }: {
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  }): Promise<boolean> {
    const { number } = this.#chain.head();
    const stop = performance.now() + timeoutMs;
    while ((this.lastBlock ?? -1n) < number && !this.isComplete) {
      const left = stop - performance.now();
      if (left <= 0 || signal.aborted) return false;
      await this.#moved.nextWithin({ timeoutMs: left, signal });
    }
    return true;
  }

  async *transactionsOf(
    address: Address,
    { from, to, reverse = false }: PositionRange,
  ): AsyncGenerator<TransactionPosition, undefined> {
    const { firstBlock: first, lastBlock: last } = this;
    if (first === undefined || last === undefined) return;
    const covered = { from: from < first ? first : from, to: to > last ? last : to };
    if (covered.from > covered.to) return;
    const range = keyRange(KINDS.party, address, covered);
    for await (const [key] of this.#table.iterate({ ...range, reverse })) yield positionIn(key);
  }

  async findCreation(contract: Address): Promise<ContractCreation | undefined> {
    const { firstBlock: from, lastBlock: to } = this;
    if (from === undefined || to === undefined) return undefined;
    const range = keyRange(KINDS.created, contract, { from, to });
    for await (const [key, creator] of this.#table.iterate({ ...range, reverse: true, limit: 1 })) {
      return { ...positionIn(key), creator: toHex(creator) };
    }
    return undefined;
  }

  findByNonce(sender: Address, nonce: bigint): TransactionPosition | undefined {
    const bytes = this.#table.getSync(nonceKey(hexToBytes(sender), nonce));
    const position = bytes && decodePosition(bytes);
    const isCovered = position && this.#coverage.find(position.number) !== undefined;
    return isCovered ? position : undefined;
  }

  /** Adds what a change of the chain removes from the index to its batch. */
  commit(event: Pick<CommitEvent, "removed" | "pruned" | "batch">): void {
    const { removed, pruned, batch } = event;
    this.#rewind.begin(event);
    this.#uncover(removed.at(-1)?.header);
    for (const { header } of [...removed, ...pruned]) {
      for (const key of this.#keysOf(header.number)) batch.delete(this.#table, key);
    }
    if (removed.length > 0) batch.put(this.#table, COVERAGE_KEY, this.#coverage.encode());
  }

  /**
   * Adds the next missing blocks; returns the number of entries, `undefined` if none can be added.
   *
   * Call it again only when it has returned.
   */
  async fill(signal: AbortSignal): Promise<number | undefined> {
    if (!this.#isClean) await this.#removeOthers();
    const order = this.#findMissing();
    if (order === undefined) return undefined;
    const records = this.#canonical(await this.#read(order, signal));
    // Nothing waits from here to the write: a commit is before both or after both.
    const retained = this.#chain.firstRetained();
    const isKept = ({ number, record }: ReadRecord) => record !== undefined && number >= retained;
    const start = records.findIndex(isKept);
    const rest = start < 0 ? [] : records.slice(start);
    const end = rest.findIndex((each) => !isKept(each));
    if (start !== 0 && records.length > 0) this.#skip(records, start);
    return await this.#write(end < 0 ? rest : rest.slice(0, end));
  }

  /** Removes all entries; `fill` adds them again. */
  async clear(): Promise<void> {
    this.#version += 1;
    this.#coverage = new Coverage();
    this.#firstPossible = 0n;
    await this.#table.write([[COVERAGE_KEY, this.#coverage.encode()]]);
    await this.#remove(this.#table.iterate(), ([key]) => [key]);
  }

  /** Blocks that left the chain while the index was off come after all that are covered. */
  async #removeOthers(): Promise<void> {
    // First: if they come back, and the index is opened again, they are not covered.
    await this.#table.write([[COVERAGE_KEY, this.#coverage.encode()]]);
    const from = recordKey((this.lastBlock ?? -1n) + 1n);
    const records = this.#table.iterate({ from });
    await this.#remove(records, ([key, record]) => [
      ...Array.from(entriesOf(numberIn(key), record), ([each]) => each),
      key,
    ]);
    this.#isClean = true;
  }

  async #remove(
    entries: AsyncIterable<Entry>,
    keysOf: (entry: Entry) => readonly Uint8Array[],
  ): Promise<void> {
    let changes: TableChange[] = [];
    for await (const entry of entries) {
      for (const key of keysOf(entry)) changes.push([key, undefined]);
      if (changes.length < MAX_REMOVED) continue;
      await this.#table.write(changes);
      changes = [];
    }
    await this.#table.write(changes);
  }

  get #firstMissing(): bigint {
    const { values } = this.#chain.oldestStates();
    // The state before a block is needed.
    const candidates = [this.#chain.firstRetained(), values > 0n ? values + 1n : 0n];
    const first = [this.#firstPossible, ...candidates].reduce((a, b) => (a > b ? a : b));
    return this.#coverage.firstMissing(first);
  }

  #findMissing(): RecordOrder | undefined {
    const first = this.#firstMissing;
    const next = this.#coverage.findAfter(first)?.first ?? this.#chain.head().number + 1n;
    const { first: leaving = next } = this.#rewind;
    const ends = [next, leaving, first + MAX_BLOCKS];
    const last = ends.reduce((a, b) => (a < b ? a : b)) - 1n;
    return last < first ? undefined : { first, last };
  }

  /** Those that have not left the chain meanwhile, and are not about to. */
  #canonical(records: readonly ReadRecord[]): readonly ReadRecord[] {
    const { first: leaving } = this.#rewind;
    const end = records.findIndex(
      ({ number, hash }) =>
        (leaving !== undefined && number >= leaving) ||
        this.#chain.findHeader(number)?.hash !== hash,
    );
    return end < 0 ? records : records.slice(0, end);
  }

  /** Continues after blocks that cannot be executed. */
  #skip(records: readonly ReadRecord[], count: number): void {
    const last = records.at(count < 0 ? -1 : count - 1);
    if (last !== undefined) this.#firstPossible = last.number + 1n;
  }

  async #write(records: readonly ReadRecord[]): Promise<number> {
    const [first, last] = [records[0], records.at(-1)];
    if (first === undefined || last === undefined) return 0;
    const changes: TableChange[] = [];
    let count = 0;
    const writing = new Map<bigint, Uint8Array>();
    for (const { number, record = NOTHING } of records) {
      for (const entry of entriesOf(number, record)) {
        changes.push(entry);
        count += 1;
      }
      if (record.length > 0) changes.push([recordKey(number), record]);
      writing.set(number, record);
    }
    const run = { first: first.number, last: last.number, hash: last.hash };
    changes.push([COVERAGE_KEY, this.#coverage.with(run).encode()]);
    await this.#writeRun(changes, writing, run);
    return count;
  }

  async #writeRun(
    changes: readonly TableChange[],
    writing: ReadonlyMap<bigint, Uint8Array>,
    run: CoveredRun,
  ): Promise<void> {
    const version = this.#version;
    this.#writing = writing;
    try {
      await this.#table.write(changes);
    } finally {
      this.#writing = new Map();
    }
    // Unless some of them are about to leave the chain, or have left it.
    if (this.#version !== version) return;
    this.#coverage = this.#coverage.with(run);
    this.#moved.notify();
  }

  /** The keys of all entries of a block, and of its record. */
  *#keysOf(number: bigint): Generator<Uint8Array> {
    const key = recordKey(number);
    const record = this.#writing.get(number) ?? this.#table.getSync(key);
    if (record === undefined) return;
    for (const [each] of entriesOf(number, record)) yield each;
    yield key;
  }

  /** Uncovers a block and all later ones before they leave the chain. */
  #uncover(first: SealedHeader | undefined): void {
    if (first === undefined) return;
    this.#version += 1;
    this.#coverage = this.#coverage.upTo(first.number - 1n, first.parentHash);
  }
}
