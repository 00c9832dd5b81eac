import {
  type Block,
  encodeBlock,
  type Hash,
  hexToBytes,
  type PluginTable,
  type SealedHeader,
} from "@plinth/core";
import { decodeBlock } from "@plinth/core/blocks";
import type { TableChange } from "@plinth/core/storage";
import type { Mark, SignedMark } from "@plinth/kit-poa";

/** Older blocks are pruned, and not signed again. */
const KEPT = 128n;
/** Sorts after every key of a block. */
const MARK = Buffer.from("mark");
const NUMBER_BYTES = 8;

/**
 * The blocks that this node signed, on disk before they are sent.
 *
 * A signer that signs two blocks on one parent splits the chain. After a crash the chain may not have the block yet; it
 * is found here and sent again, instead of another. After a reorganization a height has another parent, and may be
 * signed again.
 */
export class SignedBlocks {
  readonly #table: PluginTable;
  readonly #mark: SignedMark;

  constructor(table: PluginTable, mark: SignedMark) {
    this.#table = table;
    this.#mark = mark;
  }

  /** Determines the highest block that this node has signed. */
  async open(): Promise<void> {
    const opened = await this.#mark.open(this.#table.getSync(MARK), await this.#findLast());
    if (opened === undefined) return;
    const { mark, isVoid } = opened;
    const removals = isVoid ? await this.#removalsUpTo(undefined) : [];
    await this.#table.write([...removals, this.#markEntry(mark)], { durable: true });
    await this.#mark.written(mark);
  }

  /** Why nothing may be signed at a height; `undefined` if it is known what was. */
  findObstacle(number: bigint): string | undefined {
    return this.#mark.explain(number, this.#mark.current.height - KEPT + 1n);
  }

  /** The block that this node signed on a parent. */
  findOn({ number, hash }: Pick<SealedHeader, "number" | "hash">): Block | undefined {
    const bytes = this.#table.getSync(keyOf(number + 1n, hash));
    return bytes && decodeBlock(bytes);
  }

  /** Records a block that this node is about to send. */
  async add(block: Block): Promise<void> {
    const { number, parentHash } = block.header;
    const mark = this.#mark.next({ height: number, round: 0 });
    const past = mark.height > KEPT ? await this.#removalsUpTo(mark.height - KEPT) : [];
    const entry: TableChange = [keyOf(number, parentHash), encodeBlock(block)];
    await this.#table.write([entry, ...past, this.#markEntry(mark)], { durable: true });
    await this.#mark.written(mark);
  }

  /** The highest recorded block. */
  async #findLast(): Promise<bigint> {
    let height = 0n;
    for await (const [key] of this.#table.iterate({ to: MARK })) {
      height = Buffer.from(key).readBigUInt64BE();
    }
    return height;
  }

  /** Operations that delete the blocks up to a number, or all of them. */
  async #removalsUpTo(number: bigint | undefined): Promise<readonly TableChange[]> {
    const to = number === undefined ? MARK : numberBytes(number);
    const removals: TableChange[] = [];
    for await (const [key] of this.#table.iterate({ to })) removals.push([key, undefined]);
    return removals;
  }

  #markEntry(mark: Mark): TableChange {
    return [MARK, this.#mark.encode(mark)];
  }
}

function keyOf(number: bigint, parent: Hash): Uint8Array {
  return Uint8Array.of(...numberBytes(number), ...hexToBytes(parent));
}

function numberBytes(number: bigint): Uint8Array {
  return hexToBytes(number.toString(16).padStart(2 * NUMBER_BYTES, "0"));
}
