import {
  type CommitEvent,
  type Hash,
  type Hex,
  hexToBytes,
  type PluginTable,
  toHex,
} from "@plinth/core";

const INDEX_BYTES = 4;

/** Revert data of transactions, stored with their blocks if enabled. */
export class RevertReasons {
  readonly #table: PluginTable;

  constructor(table: PluginTable) {
    this.#table = table;
  }

  /**
   * Stores the reasons of a block, and removes those of blocks that are no longer kept; for
   * `chain.commit`.
   */
  commit({ block, results, pruned, batch }: CommitEvent): void {
    for (const { header, body } of pruned) {
      // Without reading them: a damaged one must not keep the chain from growing.
      for (const index of body.transactions.keys()) {
        batch.delete(this.#table, keyOf(header.hash, index));
      }
    }
    if (block === undefined) return;
    for (const [index, { outcome, returnValue }] of results.entries()) {
      if (outcome !== "reverted") continue;
      batch.put(this.#table, keyOf(block.header.hash, index), returnValue);
    }
  }

  /**
   * Why a transaction of a block reverted; `undefined` if it did not, or if the reason was not
   * stored.
   */
  find(block: Hash, index: number): Hex | undefined {
    const reason = this.#table.getSync(keyOf(block, index));
    return reason && toHex(reason);
  }
}

function keyOf(block: Hash, index: number): Uint8Array {
  const place = Buffer.alloc(INDEX_BYTES);
  place.writeUInt32BE(index);
  return Buffer.concat([hexToBytes(block), place]);
}
