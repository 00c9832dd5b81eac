import { messageOf, StorageError } from "../../kernel/errors.js";
import type { ChainStore } from "../chain-store.js";
import type { MarkedHead } from "./head-marker.js";

/** Where a database is, for messages about it. */
export interface MarkedPlace {
  readonly folder: string;
  readonly markerPath: string;
  /** What the storage driver advises. */
  readonly waysOut: string;
}

/**
 * Throws `STORAGE_LOST` when a database does not hold the block that a marker names.
 *
 * A head below that block is no loss by itself: the operator may have moved it back, which leaves the
 * blocks above it in the database.
 */
export function verifyMarkedHead(chain: ChainStore, marked: MarkedHead, place: MarkedPlace): void {
  const genesis = chain.findHash(0n);
  const block = `block ${marked.number} (${marked.hash})`;
  if (genesis === undefined) throw lost(`is empty, but ${block} was written to it`, place);
  if (genesis !== marked.genesisHash) {
    throw lost(`holds another chain, whose block 0 is ${genesis}; ${block} is not in it`, place);
  }
  if (chain.hasHeader(marked.hash)) return;
  throw lost(
    `${describeEnd(chain)}, but it had reached ${block}; ${describeGap(chain, marked)}`,
    place,
  );
}

function describeEnd(chain: ChainStore): string {
  const head = readHead(chain);
  return typeof head === "string"
    ? `has a head that cannot be read (${head})`
    : `ends at block ${head}`;
}

function describeGap(chain: ChainStore, { number }: MarkedHead): string {
  const head = readHead(chain);
  if (typeof head === "string" || head >= number) return "this block is lost";
  return head + 1n === number
    ? `block ${number} is lost`
    : `blocks ${head + 1n} to ${number} are lost`;
}

function readHead(chain: ChainStore): bigint | string {
  try {
    return chain.findHead()?.number ?? "there is none";
  } catch (error) {
    return messageOf(error);
  }
}

function lost(what: string, { folder, markerPath, waysOut }: MarkedPlace): StorageError {
  return new StorageError("STORAGE_LOST", {
    message: `${folder} ${what}. Nothing was changed. ${waysOut}; or put the right database back. To go on with what is there, remove ${markerPath}; the missing blocks are then synchronised again`,
    folder,
  });
}
