import type { SealedBlock, SealedHeader } from "@plinth/core";
import type { HeadChange } from "@plinth/core/chain";
import type { WriteBatch } from "@plinth/core/storage";
import type { ChainStore } from "./chain-store.js";
import { unlessDamaged } from "./unless-damaged.js";

/** Limits of what is removed with one new block, if there is much: after the option was lowered. */
const MAX_BLOCKS = 64n;
const MAX_TRANSACTIONS = 1024;
/** Removed however many transactions they have: more than a new block adds. */
const MIN_BLOCKS = 2;

/** Removes the bodies and receipts of old blocks of the canonical chain, with every new head. */
export class BlockPruner {
  readonly #chain: ChainStore;
  /** Number of blocks before the head that are kept; `undefined` for all. */
  readonly #retained: number | undefined;
  readonly #maxTransactions: number;

  constructor(chain: ChainStore, retained: number | undefined, maxTransactions = MAX_TRANSACTIONS) {
    this.#chain = chain;
    this.#retained = retained;
    this.#maxTransactions = maxTransactions;
  }

  /**
   * Adds the removals for a new head to its batch, and returns the blocks that could be read; call it
   * before anything else is added.
   */
  prune(
    batch: WriteBatch,
    head: SealedHeader,
    { added }: Pick<HeadChange, "added">,
  ): readonly SealedBlock[] {
    if (this.#retained === undefined) return [];
    // Block 0 stays.
    const from = max(this.#chain.firstRetained(), 1n);
    // Later blocks are not those of the new chain yet.
    const ancestor = head.number - BigInt(added.length);
    const end = min(head.number - BigInt(this.#retained), ancestor, from + MAX_BLOCKS);
    const pruned: SealedBlock[] = [];
    let transactions = 0;
    let number = from;
    for (; number < end; number++) {
      if (pruned.length >= MIN_BLOCKS && transactions >= this.#maxTransactions) break;
      const hash = this.#chain.findHash(number);
      if (hash === undefined) continue;
      // A damaged body must not keep the chain from growing.
      const block = unlessDamaged(() => this.#chain.findBlock(hash));
      this.#chain.removeBody(batch, hash, block?.body.transactions);
      if (block === undefined) continue;
      transactions += block.body.transactions.length;
      pruned.push(block);
    }
    if (number > from) this.#chain.setFirstRetained(batch, number);
    return pruned;
  }
}

function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function min(...values: readonly [bigint, ...bigint[]]): bigint {
  return values.reduce((least, value) => (value < least ? value : least));
}
