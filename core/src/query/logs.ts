import type { PlacedLog } from "../blocks/placed-log.js";
import type { Blockchain } from "../chain/blockchain.js";
import { BlockLogs, type LogSource } from "./block-logs.js";
import { BloomReader } from "./bloom-reader.js";
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

/** Blocks that may have such a log; `undefined` for every other one, for each takes its time. */
function* findCandidates(
  blocks: Blockchain,
  matcher: LogMatcher,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): Generator<LogSource | undefined> {
  const blooms = new BloomReader(blocks);
  for (let number = from; number <= to; number++) {
    const bloom = blooms.find(number);
    if (bloom === undefined) return;
    const header = matcher.mayMatch(bloom) ? blocks.findHeader(number) : undefined;
    yield header && { header, isRemoved: false };
  }
}
