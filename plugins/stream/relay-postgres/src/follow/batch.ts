import { InvariantError } from "@plinth/core";
import type { BlockPoint, CursorRow, StreamPoint } from "../schema/cursor-row.js";
import { TABLE_NAMES, type TableName } from "../schema/tables.js";
import type { PackedRows } from "./packed-rows.js";

/** The rows of a block, by table. */
export type RowsByTable = Readonly<Partial<Record<TableName, PackedRows>>>;

/** A block with its rows. */
export interface RelayedBlock extends BlockPoint {
  readonly rows: RowsByTable;
  /** The estimated size of its rows. */
  readonly bytes: number;
  /** Whether its rows include those of balances. */
  readonly hasBalances: boolean;
}

/** Changes that are committed together: blocks that are removed, then blocks that are added. */
export class Batch {
  readonly #added: RelayedBlock[] = [];
  /** Rows of later blocks are deleted; `undefined` if all stay. */
  #kept: bigint | undefined;
  #head: BlockPoint | undefined;
  #stream: StreamPoint | undefined;
  #bytes = 0;

  constructor({ block, stream }: Pick<CursorRow, "block" | "stream">) {
    this.#head = block;
    this.#stream = stream;
  }

  /** The last block after these changes. */
  get head(): BlockPoint | undefined {
    return this.#head;
  }

  /** The position in the stream after them. */
  get stream(): StreamPoint | undefined {
    return this.#stream;
  }

  get added(): readonly RelayedBlock[] {
    return this.#added;
  }

  /** The last block whose rows stay; -1 for none, `undefined` if none are deleted. */
  get kept(): bigint | undefined {
    return this.#kept;
  }

  /** The estimated size of the rows. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether it changes nothing. */
  get isEmpty(): boolean {
    return this.#added.length === 0 && this.#kept === undefined;
  }

  /** Adds the block after the head. */
  add(block: RelayedBlock): void {
    this.#added.push(block);
    this.#bytes += block.bytes;
    this.#head = { number: block.number, hash: block.hash };
  }

  /** Removes the head; throws `InvariantError` if it is another block. */
  remove({ number, hash }: BlockPoint, parent: BlockPoint): void {
    if (this.#head?.hash !== hash) {
      throw new InvariantError(
        `the stream removes block ${number} (${hash}), and the relay has ${this.#head?.number} (${this.#head?.hash})`,
      );
    }
    const last = this.#added.pop();
    if (last === undefined) this.#kept = parent.number;
    else this.#bytes -= last.bytes;
    this.#head = parent;
  }

  /** Removes every block after one, or all. */
  keepUntil(block: BlockPoint | undefined): void {
    this.#kept = block?.number ?? -1n;
    this.#head = block;
  }

  /** Continues with the stream, or without it. */
  moveTo(stream: StreamPoint | undefined): void {
    this.#stream = stream;
  }

  /** The rows of all added blocks; balances of those after a block, none without it. */
  *rows(balancesFrom: bigint | undefined): Generator<readonly [TableName, readonly PackedRows[]]> {
    for (const table of TABLE_NAMES) {
      const blocks = table === "balances" ? this.#addedAfter(balancesFrom) : this.#added;
      const parts = blocks.flatMap(({ rows }) => (rows[table] === undefined ? [] : [rows[table]]));
      if (parts.length > 0) yield [table, parts];
    }
  }

  #addedAfter(number: bigint | undefined): readonly RelayedBlock[] {
    return number === undefined ? [] : this.#added.filter((block) => block.number > number);
  }
}
