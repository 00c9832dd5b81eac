import type { Lane } from "../async/yield-to-loop.js";
import type { Block } from "../blocks/block.js";
import { type BodyRoots, bodyRoots, bodyRootsInTurns } from "../blocks/block.js";
import { InvalidBlock } from "../blocks/errors.js";

/** Throws unless the header commits to exactly this body. */
export function verifyBody(block: Block): void {
  verifyRoots(block, bodyRoots(block.body));
}

/** Rejects unless the header commits to exactly this body; yields to the event loop. */
export async function verifyBodyInTurns(block: Block, lane?: Lane): Promise<void> {
  verifyRoots(block, await bodyRootsInTurns(block.body, lane));
}

function verifyRoots({ header }: Block, { transactions, uncles, withdrawals }: BodyRoots): void {
  const verify = (rule: string, found: unknown, said: unknown) => {
    if (found === said) return;
    const problem = `${rule} is ${said}, its body has ${found}`;
    throw new InvalidBlock(rule, `block ${header.number}: ${problem}`);
  };
  verify("transactions-root", transactions, header.transactionsRoot);
  verify("uncles-hash", uncles, header.unclesHash);
  verify("withdrawals-root", withdrawals, header.withdrawalsRoot);
}
