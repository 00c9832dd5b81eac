import { StatePruned } from "@plinth/core/chain";
import type { Table } from "@plinth/core/storage";
import { findJoinedAt } from "../../store/joined-at.js";
import { blockKey, numberOf } from "../keys.js";

const FIRST = Buffer.from("history-from");

/** The earliest block whose state can still be read. */
export function firstKept(chain: Table): number {
  const bytes = chain.getSync(FIRST);
  return bytes === undefined ? 0 : numberOf(bytes);
}

/** The entry of the table `chain` with the earliest block whose state can still be read. */
export function firstKeptEntry(block: number): readonly [key: Uint8Array, value: Uint8Array] {
  return [FIRST, blockKey(block)];
}

/** Throws if the state after a block is no longer kept. */
export function verifyKept(chain: Table, block: number): void {
  const first = firstKept(chain);
  if (block < first) throw statePruned(chain, block, first);
}

/** The error of a state that is not kept: no longer, or never. */
export function statePruned(chain: Table, block: number | bigint, first: number): StatePruned {
  const joinedAt = findJoinedAt(chain);
  if (joinedAt !== undefined && first <= joinedAt) {
    return new StatePruned(
      `the state of block ${block} is not here: this node joined the chain at block ${joinedAt}, and has states from there on`,
    );
  }
  return new StatePruned(
    `the state of block ${block} is no longer kept: --history keeps those from block ${first} on`,
  );
}
