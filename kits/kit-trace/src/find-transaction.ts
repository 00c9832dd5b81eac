import type { BlockReader, Hash, SealedBlock } from "@plinth/core";

/** A transaction of the canonical chain, with its block. */
export interface FoundTransaction {
  readonly block: SealedBlock;
  readonly index: number;
}

/** The position of a transaction; `undefined` if it is not on the canonical chain. */
export function findTransaction(blocks: BlockReader, hash: Hash): FoundTransaction | undefined {
  const place = blocks.findTransaction(hash);
  const block = place && blocks.findBlock(place.blockHash);
  return place && block && { block, index: place.index };
}
