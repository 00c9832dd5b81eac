import {
  type Block,
  decodeBlock,
  encodeBlock,
  type Hash,
  hexToBytes,
  type PluginTable,
  type SealedHeader,
} from "@plinth/core";

/** Blocks further back are forgotten. */
const KEPT = 128n;

/**
 * The blocks that this node signed, on disk before they are sent.
 *
 * A signer that signs two blocks on one parent splits the chain. After a crash the chain may not know the block yet;
 * it is found here and sent again, in place of another.
 */
export class SignedBlocks {
  readonly #table: PluginTable;

  constructor(table: PluginTable) {
    this.#table = table;
  }

  /** The block that this node signed on a parent. */
  findOn({ number, hash }: Pick<SealedHeader, "number" | "hash">): Block | undefined {
    const bytes = this.#table.getSync(keyOf(number + 1n, hash));
    return bytes && decodeBlock(bytes);
  }

  /** Writes down a block that this node is about to send. */
  async add(block: Block): Promise<void> {
    const { number, parentHash } = block.header;
    const past: [Uint8Array, undefined][] = [];
    if (number > KEPT) {
      const range = { to: numberBytes(number - KEPT) };
      for await (const [key] of this.#table.iterate(range)) past.push([key, undefined]);
    }
    await this.#table.write([[keyOf(number, parentHash), encodeBlock(block)], ...past], {
      durable: true,
    });
  }
}

function keyOf(number: bigint, parent: Hash): Uint8Array {
  return Uint8Array.of(...numberBytes(number), ...hexToBytes(parent));
}

function numberBytes(number: bigint): Uint8Array {
  return hexToBytes(number.toString(16).padStart(16, "0"));
}
