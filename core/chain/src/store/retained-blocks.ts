import { BlockPruned } from "@plinth/core/chain";
import type { Table } from "@plinth/core/storage";
import { findJoinedAt } from "./joined-at.js";

const FIRST = Buffer.from("blocks-from");

/** The first block after block 0 whose body and receipts are kept; 0 if all are. */
export function readFirstRetained(chain: Table): bigint {
  const bytes = chain.getSync(FIRST);
  return bytes === undefined ? 0n : Buffer.from(bytes).readBigUInt64BE();
}

/** The entry of the table `chain` with the first block whose body and receipts are kept. */
export function firstRetainedEntry(number: bigint): readonly [key: Uint8Array, value: Uint8Array] {
  const value = Buffer.alloc(8);
  value.writeBigUInt64BE(number);
  return [FIRST, value];
}

/** The error of a block that forks off before the first one whose body is kept. */
export function forkPruned(number: bigint, first: bigint): BlockPruned {
  return new BlockPruned(
    `block ${number} cannot be added: --blocks-retained keeps blocks from ${first} on, and it forks off before`,
  );
}

/** The error of a body or receipts that are not kept: no longer, or not yet. */
export function blockPruned(chain: Table, number: bigint): BlockPruned {
  const [first, joinedAt] = [readFirstRetained(chain), findJoinedAt(chain)];
  if (joinedAt !== undefined && first <= joinedAt) {
    return new BlockPruned(
      `the body and receipts of block ${number} are not here: this node joined the chain at block ${joinedAt}, and has those from block ${first} on so far`,
    );
  }
  return new BlockPruned(
    `the body and receipts of block ${number} are no longer kept: --blocks-retained keeps those from block ${first} on`,
  );
}
