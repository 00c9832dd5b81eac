import {
  type BlockReader,
  type CommitEvent,
  PlinthError,
  type PluginTable,
  type Receipt,
  type SealedHeader,
} from "@plinth/core";
import {
  type CandidateRun,
  type LogCriteria,
  type LogIndex,
  unlessPruned,
} from "@plinth/core/chain";
import { isEmptyBloom } from "@plinth/core/primitives";
import type { Entry } from "@plinth/core/storage";
import { Coverage, type CoveredRun, PendingRewind, withoutOtherBlocks } from "@plinth/kit-index";
import { findCommon } from "./find-common.js";
import { PostingCursor } from "./posting-cursor.js";
import { COVERAGE_KEY, postingsOf, prefixGroups } from "./posting-key.js";

/** The parts of a chain that the index needs. */
export type IndexedChain = Pick<
  BlockReader,
  "head" | "firstRetained" | "findBloom" | "findHeader" | "findReceipts"
>;

/** Queries with more alternatives use the blooms of blocks. */
const MAX_ALTERNATIVES = 100;
/** Maximum number of postings read per lookup. */
const MAX_STEPS = 2000;
/** Batch limits, whichever is reached first. */
const MAX_FILL_MS = 10;
const MAX_FILL_POSTINGS = 10_000;
const NOTHING = new Uint8Array();
/** Codes of errors about receipts that cannot be read. */
const UNREADABLE: readonly string[] = ["RECEIPTS_MISSING", "STORAGE_DAMAGED"];

/**
 * Which blocks have a log of an address, or with a topic at a position.
 *
 * Postings and coverage are written atomically, together with a new block. Blocks that leave the chain are uncovered
 * in advance, so the index may lack blocks, but is never wrong.
 */
export class StoredLogIndex implements LogIndex {
  readonly #table: PluginTable;
  readonly #chain: IndexedChain;
  readonly #maxFillPostings: number;
  #coverage: Coverage;
  readonly #lookups = { yes: 0, no: 0 };
  readonly #rewind: PendingRewind;
  #version = 0;

  constructor(table: PluginTable, chain: IndexedChain, maxFillPostings = MAX_FILL_POSTINGS) {
    this.#table = table;
    this.#chain = chain;
    this.#maxFillPostings = maxFillPostings;
    this.#rewind = new PendingRewind(chain);
    const stored = Coverage.decode(table.getSync(COVERAGE_KEY) ?? NOTHING);
    this.#coverage = withoutOtherBlocks(stored, chain);
  }

  get version(): number {
    return this.#version;
  }

  /** How often searches looked up a run of blocks that was covered, and that was not. */
  get lookups(): { readonly yes: number; readonly no: number } {
    return this.#lookups;
  }

  /** Invalidates all earlier results. */
  retire(): void {
    this.#version += 1;
  }

  /** Number of covered blocks. */
  get blockCount(): bigint {
    return this.#coverage.count;
  }

  /** Whether every block up to the head is covered whose receipts are kept. */
  get isComplete(): boolean {
    return this.#firstMissing > this.#chain.head().number;
  }

  /** Earlier blocks may follow on a node that joined the chain later. */
  get #firstMissing(): bigint {
    return this.#coverage.firstMissing(this.#chain.firstRetained());
  }

  async find(
    criteria: LogCriteria,
    range: { readonly from: bigint; readonly to: bigint },
  ): Promise<CandidateRun> {
    const run = await this.#find(criteria, range);
    this.#lookups[run.numbers === undefined ? "no" : "yes"] += 1;
    return run;
  }

  async #find(
    criteria: LogCriteria,
    { from, to }: { readonly from: bigint; readonly to: bigint },
  ): Promise<CandidateRun> {
    const prefixes = prefixGroups(criteria, MAX_ALTERNATIVES);
    if (prefixes.length === 0) return { numbers: undefined, next: to + 1n };
    const covered = this.#coverage.find(from);
    if (covered === undefined) {
      const end = this.#coverage.findAfter(from)?.first ?? to + 1n;
      return { numbers: undefined, next: end > to ? to + 1n : end };
    }
    const last = covered.last < to ? covered.last : to;
    const groups = prefixes.map((values) =>
      values.map((prefix) => new PostingCursor(this.#table, prefix, last)),
    );
    const { numbers, next = last + 1n } = await findCommon(groups, from, MAX_STEPS);
    return { numbers, next };
  }

  /** Adds the index updates for a chain change to its batch; returns the number of new postings. */
  commit(event: CommitEvent): number {
    const { block, receipts, added, removed, pruned, batch } = event;
    this.#rewind.begin(event);
    if (added.length === 0 && removed.length === 0) return 0;
    const [first, last] = [added[0]?.header, added.at(-1)?.header];
    this.#uncover(removed.at(-1)?.header);
    for (const { header } of removed) {
      for (const key of this.#postingsOf(header)) batch.delete(this.#table, key);
    }
    for (const { header } of pruned) {
      for (const key of this.#postingsOfPruned(header)) batch.delete(this.#table, key);
    }
    let count = 0;
    for (const { header } of added) {
      const own = header.hash === block?.header.hash ? receipts : undefined;
      for (const key of this.#postingsOf(header, own)) {
        batch.put(this.#table, key, NOTHING);
        count += 1;
      }
    }
    const run = first && last && { first: first.number, last: last.number, hash: last.hash };
    batch.put(this.#table, COVERAGE_KEY, this.#with(run).encode());
    batch.onCommitted(() => {
      this.#coverage = this.#with(run);
    });
    return count;
  }

  /**
   * Adds the next missing blocks; returns the number of postings, `undefined` if no block is
   * missing.
   */
  async fill(): Promise<number | undefined> {
    const slice = this.#readMissing();
    if (slice === undefined) return undefined;
    const { entries, run } = slice;
    const version = this.#version;
    const coverage: Entry = [COVERAGE_KEY, this.#with(run).encode()];
    await this.#table.write([...entries, coverage]);
    // Unless some of them are about to leave the chain.
    if (this.#version === version) this.#coverage = this.#with(run);
    return entries.length;
  }

  #readMissing(): { readonly entries: readonly Entry[]; readonly run: CoveredRun } | undefined {
    const first = this.#firstMissing;
    const next = this.#coverage.findAfter(first)?.first ?? this.#chain.head().number + 1n;
    const { first: leaving = next } = this.#rewind;
    const end = leaving < next ? leaving : next;
    const entries: Entry[] = [];
    const stop = performance.now() + MAX_FILL_MS;
    let last: bigint | undefined;
    for (let number = first; number < end; number++) {
      const keys = this.#postingsAt(number);
      if (keys === undefined) break;
      for (const key of keys) entries.push([key, NOTHING]);
      last = number;
      if (performance.now() >= stop || entries.length >= this.#maxFillPostings) break;
    }
    const hash = last === undefined ? undefined : this.#chain.findHeader(last)?.hash;
    if (last === undefined || hash === undefined) return undefined;
    return { entries, run: { first, last, hash } };
  }

  /**
   * The postings of a block of the canonical chain; `undefined` if it is beyond the head, none if its
   * receipts are no longer kept: such blocks are not searched.
   */
  #postingsAt(number: bigint): readonly Uint8Array[] | undefined {
    const bloom = this.#chain.findBloom(number);
    if (bloom === undefined || isEmptyBloom(bloom)) return bloom && [];
    const header = this.#chain.findHeader(number);
    return header && (unlessPruned(() => this.#postingsOf(header)) ?? []);
  }

  /** None if the receipts are missing or damaged: the block is removed anyway, and not searched. */
  #postingsOfPruned(header: SealedHeader): readonly Uint8Array[] {
    try {
      return this.#postingsOf(header);
    } catch (error) {
      if (error instanceof PlinthError && UNREADABLE.includes(error.code)) return [];
      throw error;
    }
  }

  #postingsOf(
    { number, hash, logsBloom }: SealedHeader,
    receipts?: readonly Receipt[],
  ): readonly Uint8Array[] {
    if (isEmptyBloom(logsBloom)) return [];
    const known = receipts ?? this.#chain.findReceipts(hash);
    if (known !== undefined) return postingsOf(number, known);
    const message = `the receipts of block ${number} (${hash}) are missing; run \`db verify\``;
    throw new PlinthError("RECEIPTS_MISSING", { message });
  }

  /** Uncovers a block and all later ones before they leave the chain. */
  #uncover(first: SealedHeader | undefined): void {
    if (first === undefined) return;
    this.#version += 1;
    this.#coverage = this.#coverage.upTo(first.number - 1n, first.parentHash);
  }

  #with(run: CoveredRun | undefined): Coverage {
    return run === undefined ? this.#coverage : this.#coverage.with(run);
  }
}
