import type { ConsensusEngine, Hash, SealedBlock } from "@plinth/core";
import { InvariantError } from "@plinth/core";
import type { HeadChange } from "@plinth/core/chain";
import type { ChainStore } from "../store/chain-store.js";

/**
 * The reorganization if a block becomes the head; `undefined` if the engine prefers the current
 * head.
 */
export function chooseHead(
  engine: Pick<ConsensusEngine, "prefers">,
  chain: Pick<ChainStore, "findHead" | "findHeadBlock" | "findBlock" | "findTotalDifficulty">,
  { block, totalDifficulty }: { readonly block: SealedBlock; readonly totalDifficulty: bigint },
): HeadChange | undefined {
  const head = chain.findHead();
  if (head === undefined) return { removed: [], added: [block] };
  const weight = chain.findTotalDifficulty(head.hash) ?? 0n;
  const isBetter =
    engine.prefers?.(
      { header: block.header, totalDifficulty },
      { header: head, totalDifficulty: weight },
    ) ?? totalDifficulty > weight;
  if (!isBetter) return undefined;
  if (block.header.parentHash === head.hash) return { removed: [], added: [block] };
  const oldHead = chain.findHeadBlock();
  return oldHead && findHeadChange(oldHead, block, (hash) => chain.findBlock(hash));
}

/** The path from the old head to the new one, via their common ancestor. */
export function findHeadChange(
  oldHead: SealedBlock,
  newHead: SealedBlock,
  findBlock: (hash: Hash) => SealedBlock | undefined,
): HeadChange {
  const removed: SealedBlock[] = [];
  const added: SealedBlock[] = [];
  const parentOf = ({ header }: SealedBlock): SealedBlock => {
    const parent = findBlock(header.parentHash);
    if (parent === undefined) throw new InvariantError(`block ${header.parentHash} is missing`);
    return parent;
  };
  let [left, right] = [oldHead, newHead];
  while (left.header.hash !== right.header.hash) {
    if (right.header.number >= left.header.number) {
      added.push(right);
      right = parentOf(right);
    } else {
      removed.push(left);
      left = parentOf(left);
    }
  }
  return { removed, added: added.reverse() };
}
