import type { PlacedLog } from "../blocks/placed-log.js";
import type { Blockchain } from "../chain/blockchain.js";
import type { BloomSource } from "../chain/bloom-source.js";
import { BLOOM_BYTES } from "../primitives/bloom.js";
import { BlockLogs, type LogSource } from "./block-logs.js";
import type { LogMatcher } from "./log-matcher.js";

/** The result of a search, piece by piece; the last one is what the generator returns. */
export type LogPieces = Generator<readonly PlacedLog[], readonly PlacedLog[]>;

/** A search that takes longer stops for others to have their turn. */
const PIECE_MS = 10;

/**
 * Finds the logs that match in some blocks, in their order.
 *
 * It works for a few milliseconds per piece; whoever takes them should give way to others in between.
 */
export function* searchLogs(
  blocks: Blockchain,
  matcher: LogMatcher,
  sources: Iterable<LogSource | undefined>,
): LogPieces {
  let found: PlacedLog[] = [];
  let end = performance.now() + PIECE_MS;
  for (const source of sources) {
    if (source !== undefined) {
      for (const log of new BlockLogs(blocks, source).matching(matcher)) found.push(log);
    }
    if (performance.now() < end) continue;
    yield found;
    found = [];
    end = performance.now() + PIECE_MS;
  }
  return found;
}

/** Finds the logs that match on the canonical chain from one number to another, as far as it goes. */
export function searchRange(
  blocks: Blockchain,
  matcher: LogMatcher,
  range: { readonly from: bigint; readonly to: bigint },
): LogPieces {
  return searchLogs(blocks, matcher, findCandidates(blocks, matcher, range));
}

/** Blocks that may have such a log; `undefined` now and then for others, for they take their time. */
function* findCandidates(
  blocks: Blockchain,
  matcher: LogMatcher,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): Generator<LogSource | undefined> {
  let number = from;
  while (number <= to) {
    const source = blocks.blooms;
    const bytes = source?.read(number);
    if (source !== undefined && bytes !== undefined) {
      number = yield* findInRun(blocks, matcher, { source, bytes, from: number, to });
      continue;
    }
    const bloom = blocks.findBloom(number);
    if (bloom === undefined) return;
    yield matcher.mayMatch(bloom) ? sourceOf(blocks, number) : undefined;
    number += 1n;
  }
}

/** The same for blooms that were read at once; answers the block to go on with. */
function* findInRun(
  blocks: Blockchain,
  matcher: LogMatcher,
  run: {
    readonly source: BloomSource;
    readonly bytes: Uint8Array;
    readonly from: bigint;
    readonly to: bigint;
  },
): Generator<LogSource | undefined, bigint> {
  const { source, bytes, from, to } = run;
  const { version } = source;
  const count = Math.min(bytes.length / BLOOM_BYTES, Number(to - from) + 1);
  for (let index = 0; index < count; index++) {
    if (!matcher.mayMatch(bytes, index * BLOOM_BYTES)) continue;
    yield sourceOf(blocks, from + BigInt(index));
    // Others had their turn, and may have changed the chain.
    if (source.version !== version) return from + BigInt(index + 1);
  }
  yield undefined;
  return from + BigInt(count);
}

function sourceOf(blocks: Blockchain, number: bigint): LogSource | undefined {
  const header = blocks.findHeader(number);
  return header && { header, isRemoved: false };
}
