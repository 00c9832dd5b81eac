import type { BlockReader } from "@plinth/core";
import type { BloomSource, LogIndex } from "@plinth/core/chain";
import { BLOOM_BYTES } from "@plinth/core/primitives";
import type { LogSource } from "./block-logs.js";
import { findLogs } from "./find-logs.js";
import type { LogMatcher } from "./log-matcher.js";
import type { FoundLog } from "./placed-log.js";

/** The result of a search in chunks; the last one is the generator's return value. */
export type LogPieces = AsyncGenerator<readonly FoundLog[], readonly FoundLog[]>;

/** Blocks from one number to another. */
interface BlockRange {
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * Blocks that may match; yields `undefined` periodically so that other work can run; returns the
 * next block.
 */
type Candidates = Generator<LogSource | undefined, bigint>;

/** Number of blooms tested between two time checks: testing one for many values takes long. */
const BLOOMS_PER_CHECK = 32;
/** A search that takes longer yields. */
const PIECE_MS = 10;

/**
 * Finds the matching logs in some blocks, in order.
 *
 * It works for a few milliseconds per chunk; the caller should yield to other work in between.
 */
export async function* searchLogs(
  blocks: BlockReader,
  matcher: LogMatcher,
  sources: Iterable<LogSource>,
): LogPieces {
  const piece = new Piece();
  yield* lookAt(blocks, matcher, { sources: sources[Symbol.iterator](), piece });
  return piece.take();
}

/**
 * Finds the matching logs on the canonical chain from one number to another, up to the head; throws
 * `BlockPruned` if receipts of the range are no longer kept.
 */
export async function* searchRange(
  blocks: BlockReader,
  matcher: LogMatcher,
  { from, to }: BlockRange,
): LogPieces {
  const piece = new Piece();
  let number = from;
  while (number <= to) {
    const sources = await findCandidates(blocks, matcher, { from: number, to });
    // After the index was read: it has no entries of blocks that were removed meanwhile.
    blocks.verifyRetained(number, to);
    number = yield* lookAt(blocks, matcher, { sources, piece });
  }
  return piece.take();
}

/** Adds the logs of blocks to a chunk, which it yields when it is due. */
function* lookAt<T>(
  blocks: BlockReader,
  matcher: LogMatcher,
  {
    sources,
    piece,
  }: { readonly sources: Iterator<LogSource | undefined, T>; readonly piece: Piece },
): Generator<readonly FoundLog[], T> {
  let step = sources.next();
  for (; !step.done; step = sources.next()) {
    const source = step.value;
    const mayMatch = source !== undefined && matcher.mayMatch(source.header.logsBloom);
    if (mayMatch) piece.add(findLogs(blocks, source, matcher));
    if (piece.isDue) yield piece.take();
  }
  return step.value;
}

/**
 * Candidates of some blocks of a range, from its first one on: those of the log index, otherwise by
 * their blooms.
 */
async function findCandidates(
  blocks: BlockReader,
  matcher: LogMatcher,
  range: BlockRange,
): Promise<Candidates> {
  for (;;) {
    const source = blocks.logIndex;
    if (source === undefined) return findByBlooms(blocks, matcher, range);
    const { version } = source;
    const { numbers, next } = await source.find(matcher.criteria, range);
    // The chain may have changed meanwhile.
    if (source.version !== version) continue;
    if (numbers === undefined) {
      return findByBlooms(blocks, matcher, { from: range.from, to: next - 1n });
    }
    return takeIndexed(blocks, { numbers, next, source, version });
  }
}

/** Candidates of the log index, until its version changes. */
function* takeIndexed(
  blocks: BlockReader,
  indexed: {
    readonly numbers: readonly bigint[];
    readonly next: bigint;
    readonly source: LogIndex;
    readonly version: number;
  },
): Candidates {
  for (const number of indexed.numbers) {
    yield sourceOf(blocks, number);
    // Other work has run, and may have changed the chain.
    if (indexed.source.version !== indexed.version) return number + 1n;
  }
  yield undefined;
  return indexed.next;
}

/** Blocks whose bloom does not rule out such a log. */
function* findByBlooms(
  blocks: BlockReader,
  matcher: LogMatcher,
  { from, to }: BlockRange,
): Candidates {
  let number = from;
  while (number <= to) {
    const source = blocks.blooms;
    const bytes = source?.read(number);
    if (source !== undefined && bytes !== undefined) {
      number = yield* findInRun(blocks, matcher, { source, bytes, from: number, to });
      continue;
    }
    const bloom = blocks.findBloom(number);
    // The chain ends here.
    if (bloom === undefined) return to + 1n;
    yield matcher.mayMatch(bloom) ? sourceOf(blocks, number) : undefined;
    number += 1n;
  }
  return number;
}

/** The same for blooms read at once. */
function* findInRun(
  blocks: BlockReader,
  matcher: LogMatcher,
  run: BlockRange & { readonly source: BloomSource; readonly bytes: Uint8Array },
): Candidates {
  const { source, bytes, from, to } = run;
  const { version } = source;
  const count = Math.min(bytes.length / BLOOM_BYTES, Number(to - from) + 1);
  for (let index = 0; index < count; index++) {
    const mayMatch = matcher.mayMatch(bytes, index * BLOOM_BYTES);
    if (!mayMatch && index % BLOOMS_PER_CHECK !== 0) continue;
    yield mayMatch ? sourceOf(blocks, from + BigInt(index)) : undefined;
    // Other work has run, and may have changed the chain.
    if (source.version !== version) return from + BigInt(index + 1);
  }
  yield undefined;
  return from + BigInt(count);
}

function sourceOf(blocks: BlockReader, number: bigint): LogSource | undefined {
  const header = blocks.findHeader(number);
  return header && { header, isRemoved: false };
}

/** Logs found since the last yield. */
class Piece {
  #found: FoundLog[] = [];
  #end = performance.now() + PIECE_MS;

  add(logs: readonly FoundLog[]): void {
    for (const log of logs) this.#found.push(log);
  }

  get isDue(): boolean {
    return performance.now() >= this.#end;
  }

  take(): readonly FoundLog[] {
    const found = this.#found;
    this.#found = [];
    this.#end = performance.now() + PIECE_MS;
    return found;
  }
}
