import type { StateOfBlock } from "@plinth/kit-enclave";

/** Conflicting records of two members for a block; `undefined` if the block changed nothing. */
export interface Difference {
  readonly number: bigint;
  readonly own: StateOfBlock | undefined;
  readonly theirs: StateOfBlock | undefined;
}

/** The first block for which the records of two members differ; both lists are in chain order. */
export function findDifference(
  own: readonly StateOfBlock[],
  theirs: readonly StateOfBlock[],
): Difference | undefined {
  for (let index = 0; index < Math.max(own.length, theirs.length); index++) {
    const [ours, other] = [own[index], theirs[index]];
    if (ours !== undefined && other !== undefined && isSame(ours, other)) continue;
    return firstOf(ours, other);
  }
  return undefined;
}

function isSame(own: StateOfBlock, theirs: StateOfBlock): boolean {
  return (
    own.number === theirs.number &&
    own.root === theirs.root &&
    own.transactions === theirs.transactions
  );
}

/** One of them may belong to a later block. */
function firstOf(own: StateOfBlock | undefined, theirs: StateOfBlock | undefined): Difference {
  const numbers = [own, theirs].flatMap((block) => (block ? [BigInt(block.number)] : []));
  const number = numbers.reduce((a, b) => (a < b ? a : b));
  const at = (block: StateOfBlock | undefined) =>
    block !== undefined && BigInt(block.number) === number ? block : undefined;
  return { number, own: at(own), theirs: at(theirs) };
}
