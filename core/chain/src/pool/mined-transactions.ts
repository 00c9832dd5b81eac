import type { Hash, SealedBlock, Transaction } from "@plinth/core";
import type { Departure } from "@plinth/core/pool";

type Slot = Pick<Transaction, "hash" | "sender" | "nonce">;

/** The transactions of blocks that joined the chain. */
export class MinedTransactions {
  readonly #hashes = new Set<Hash>();
  readonly #bySlot = new Map<string, Hash>();

  constructor(blocks: readonly SealedBlock[]) {
    for (const transaction of blocks.flatMap(({ body }) => body.transactions)) {
      this.#hashes.add(transaction.hash);
      this.#bySlot.set(slotOf(transaction), transaction.hash);
    }
  }

  has(hash: Hash): boolean {
    return this.#hashes.has(hash);
  }

  /** Why a transaction left whose nonce was used; `undefined` if it was mined itself. */
  departureOf(transaction: Slot): Departure | undefined {
    if (this.has(transaction.hash)) return undefined;
    const by = this.#bySlot.get(slotOf(transaction));
    if (by === undefined) {
      return { kind: "nonce-used", message: `nonce ${transaction.nonce} of its sender is used` };
    }
    return { kind: "nonce-used", by, message: `${by} was mined with its nonce` };
  }
}

/** Transactions of the removed blocks that the new ones do not contain, oldest first. */
export function returning(
  removed: readonly SealedBlock[],
  mined: MinedTransactions,
): readonly Transaction[] {
  const blocks = [...removed].sort((a, b) => Number(a.header.number - b.header.number));
  const transactions = blocks.flatMap(({ body }) => body.transactions);
  return transactions.filter(({ hash }) => !mined.has(hash));
}

function slotOf({ sender, nonce }: Slot): string {
  return `${sender}:${nonce}`;
}
