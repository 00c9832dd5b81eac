import {
  type ChainReader,
  type Hash,
  type Header,
  InvalidBlock,
  keccakHeader,
  type SealedBlock,
  type SealedHeader,
} from "@plinth/core";

const MAX_UNCLES = 2;
/** Maximum distance of an uncle's parent from the including block. */
const MAX_GENERATIONS = 7;

/** Throws unless the uncles of a block are related, not included before, and valid. */
export async function verifyUncles(
  { header, body }: SealedBlock,
  chain: ChainReader,
  verify: (uncle: SealedHeader, parent: SealedHeader) => Promise<void>,
): Promise<void> {
  const refuse = (problem: string) => {
    throw new InvalidBlock("uncles", `block ${header.number}: ${problem}`);
  };
  if (body.uncles.length === 0) return;
  if (body.uncles.length > MAX_UNCLES) refuse(`it has more than ${MAX_UNCLES} uncles`);
  const { ancestors, named } = findFamily(header, chain);
  for (const uncle of body.uncles) {
    const hash = keccakHeader(uncle);
    const parent = ancestors.get(uncle.parentHash);
    if (named.has(hash)) refuse(`its uncle ${hash} was named before`);
    if (ancestors.has(hash)) refuse(`its uncle ${hash} is one of its ancestors`);
    if (parent === undefined || uncle.parentHash === header.parentHash) {
      return refuse(`its uncle ${hash} is unrelated, or too distant`);
    }
    named.add(hash);
    await verify({ ...uncle, hash }, parent);
  }
}

/** The possible ancestors of an uncle, and the uncles that they included. */
function findFamily(header: Header, chain: ChainReader) {
  const ancestors = new Map<Hash, SealedHeader>();
  const named = new Set<Hash>();
  let block = chain.findBlock(header.parentHash);
  while (block !== undefined && ancestors.size < MAX_GENERATIONS) {
    ancestors.set(block.header.hash, block.header);
    for (const uncle of block.body.uncles) named.add(keccakHeader(uncle));
    block = chain.findBlock(block.header.parentHash);
  }
  return { ancestors, named };
}
