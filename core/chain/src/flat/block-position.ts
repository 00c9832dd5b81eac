import { type Hash, type KeyValueStore, type SealedHeader, StorageError } from "@plinth/core";
import { StatePruned } from "@plinth/core/chain";
import { TABLES } from "@plinth/core/storage";
import { bytesOf, textOf } from "../state/state-values.js";
import type { ChainStore } from "../store/chain-store.js";
import { sideKey } from "./keys.js";
import { damagedEntry, decodeChanges, type FlatValue, type ValueChange } from "./record.js";

/** A known block. */
export type Place = Pick<SealedHeader, "number" | "hash" | "stateRoot">;

/** A block off the canonical chain. */
export interface SideBlock {
  readonly hash: Hash;
  /** Decodes its changes. */
  changes(): readonly ValueChange[];
}

/** A block of the canonical chain, and the blocks on top of it that are not, earliest first. */
export interface BlockPosition {
  readonly ancestor: number;
  readonly side: readonly SideBlock[];
}

/** The database, or a snapshot of it. */
export interface PositionSource {
  readonly store: Pick<KeyValueStore, "table">;
  readonly chain: ChainStore;
  readonly proofBlocks: number;
}

/** Finds the canonical ancestor of a block, and the blocks on top of it. */
export function locate(block: Place, { store, chain, proofBlocks }: PositionSource): BlockPosition {
  const side: SideBlock[] = [];
  let missing: Uint8Array | undefined;
  let { number, hash }: { number: bigint; hash: Hash } = block;
  while (chain.findHash(number) !== hash) {
    const key = sideKey(number, hash);
    const bytes = store.table(TABLES.sideChanges).getSync(key);
    // A block that became canonical between the two reads has its changes elsewhere.
    if (bytes === undefined && chain.findHash(number) === hash) break;
    const header = chain.findHeader(hash);
    if (header === undefined) throw damagedEntry(TABLES.headers, bytesOf(hash));
    if (bytes === undefined) missing = key;
    else side.push({ hash, changes: () => decodeChanges(bytes) });
    number -= 1n;
    hash = header.parentHash;
  }
  if (missing === undefined) return { ancestor: Number(number), side: side.reverse() };
  const first = (chain.findHead()?.number ?? 0n) - BigInt(proofBlocks);
  if (number < first) throw sidePruned(block, proofBlocks);
  throw damagedEntry(TABLES.sideChanges, missing);
}

/** Whether the state after a block can be read. */
export function canLocate(block: Place, source: PositionSource): boolean {
  try {
    locate(block, source);
    return true;
  } catch (error) {
    if (error instanceof StatePruned || error instanceof StorageError) return false;
    throw error;
  }
}

/** The latest values of side blocks, by key. */
export function latestOf(side: readonly SideBlock[]): ReadonlyMap<string, FlatValue> {
  const values = new Map<string, FlatValue>();
  for (const { changes } of side) {
    for (const change of changes()) values.set(textOf(change.key), change);
  }
  return values;
}

function sidePruned({ number, hash }: Place, proofBlocks: number): StatePruned {
  return new StatePruned(
    `the state of block ${number} (${hash}), which is off the canonical chain, is no longer kept: --history-proofs-blocks keeps the changes of ${proofBlocks} blocks`,
  );
}
