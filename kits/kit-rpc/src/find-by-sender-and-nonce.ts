import type { Address, BlockReader, SealedBlock, Transaction } from "@plinth/core";

/** A transaction of the canonical chain with its place. */
export interface SentTransaction {
  readonly transaction: Transaction;
  readonly block: SealedBlock;
  readonly index: number;
}

/**
 * Finds the transaction of a sender with a nonce by halving the range of blocks in which the nonce was used;
 * `undefined` if there is none.
 *
 * Throws `StatePruned` or `BlockPruned` if the states or the block are no longer kept.
 */
export function findBySenderAndNonce(
  blocks: BlockReader,
  sender: Address,
  nonce: bigint,
): SentTransaction | undefined {
  if (nonceAt(blocks, sender, blocks.head().number) <= nonce) return undefined;
  let [before, after] = [-1n, blocks.head().number];
  while (before + 1n < after) {
    const middle = (before + after) / 2n;
    if (nonceAt(blocks, sender, middle) > nonce) after = middle;
    else before = middle;
  }
  const block = blocks.findBlock(after);
  const index =
    block?.body.transactions.findIndex((each) => each.sender === sender && each.nonce === nonce) ??
    -1;
  const transaction = block?.body.transactions[index];
  return block && transaction && { transaction, block, index };
}

function nonceAt(blocks: BlockReader, address: Address, number: bigint): bigint {
  const header = blocks.findHeader(number);
  if (header === undefined) return 0n;
  blocks.verifyStateKept(header);
  return blocks.stateAt(header).findAccount(address)?.nonce ?? 0n;
}
