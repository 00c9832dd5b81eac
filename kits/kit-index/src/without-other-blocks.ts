import type { BlockReader, Hash, SealedHeader } from "@plinth/core";
import { Coverage } from "./coverage.js";

/** The parts of a chain by which its canonical blocks are known. */
export type CanonicalChain = Pick<BlockReader, "findHeader">;

/**
 * Truncates each run of a coverage to its last block on the canonical chain.
 *
 * Blocks may have left the chain while the index was off.
 */
export function withoutOtherBlocks(coverage: Coverage, chain: CanonicalChain): Coverage {
  const kept = coverage.runs.flatMap((run) => {
    const last = findCanonical(run.hash, chain);
    if (last === undefined || last.number < run.first) return [];
    return [{ ...run, last: last.number, hash: last.hash }];
  });
  return new Coverage(kept);
}

/** The block, or its last ancestor on the canonical chain. */
function findCanonical(hash: Hash, chain: CanonicalChain): SealedHeader | undefined {
  let header = chain.findHeader(hash);
  while (header !== undefined && chain.findHeader(header.number)?.hash !== header.hash) {
    header = chain.findHeader(header.parentHash);
  }
  return header;
}
