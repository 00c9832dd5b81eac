import { type Hash, hexToBytes, type PluginTable, toHex } from "@plinth/core";

/**
 * The blocks that this node has signed, on disk before they are sent.
 *
 * An authority that signs two blocks with one number splits the chain; after a crash only the disk
 * has the record.
 */
export class SignedBlocks {
  readonly #table: PluginTable;

  constructor(table: PluginTable) {
    this.#table = table;
  }

  /** Whether the node may sign this block: it has signed no other with that number. */
  maySign(number: bigint, hash: Hash): boolean {
    const signed = this.#table.getSync(keyOf(number));
    return signed === undefined || toHex(signed) === hash;
  }

  /** Records that the node is about to sign a block, and deletes an old record. */
  async add(number: bigint, hash: Hash): Promise<void> {
    const past = number > KEPT ? number - KEPT : 0n;
    await this.#table.write(
      [
        [keyOf(number), hexToBytes(hash)],
        [keyOf(past), undefined],
      ],
      { durable: true },
    );
  }
}

const KEPT = 1000n;

function keyOf(number: bigint): Uint8Array {
  return hexToBytes(number.toString(16).padStart(16, "0"));
}
