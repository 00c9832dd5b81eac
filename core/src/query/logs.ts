import type { PlacedLog } from "../blocks/placed-log.js";
import type { Blockchain } from "../chain/blockchain.js";
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
  sources: Iterable<LogSource>,
): LogPieces {
  let found: PlacedLog[] = [];
  let end = performance.now() + PIECE_MS;
  for (const source of sources) {
    for (const log of new BlockLogs(blocks, source).matching(matcher)) found.push(log);
    if (performance.now() < end) continue;
    yield found;
    found = [];
    end = performance.now() + PIECE_MS;
  }
  return found;
}

/** The blocks of the canonical chain from one number to another, as far as there are any. */
export function* canonicalBlocks(
  blocks: Blockchain,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): Generator<LogSource> {
  for (let number = from; number <= to; number++) {
    const header = blocks.findHeader(number);
    if (header === undefined) return;
    yield { header, isRemoved: false };
  }
}
