import type { Block, Transaction } from "@plinth/core";
import { blockSize, transactionSize } from "@plinth/core/blocks";
import type { ForkSchedule } from "@plinth/core/rules";

/** Reserved for values unknown before sealing: gas used, seals in the extra data. */
const RESERVED_BYTES = 65_536;

/** The bytes left for transactions in a block being built (EIP-7934). */
export class BlockSpace {
  #left: number;

  /** `empty` is the block without transactions. */
  constructor(empty: Block, forks: ForkSchedule) {
    const { maxBlockBytes } = forks.rulesAt(empty.header);
    this.#left = maxBlockBytes - RESERVED_BYTES - blockSize(empty);
  }

  /** Whether a transaction fits. */
  hasRoomFor(transaction: Transaction): boolean {
    return transactionSize(transaction) <= this.#left;
  }

  /** Counts an included transaction. */
  take(transaction: Transaction): void {
    this.#left -= transactionSize(transaction);
  }
}
