import { messageOf, StorageError } from "@plinth/core";
import type { MarkedHead } from "@plinth/core/chain";
import type { ChainStore } from "../store/chain-store.js";

/** The location of a database, for messages. */
export interface MarkedPlace {
  readonly folder: string;
  readonly markerPath: string;
  /** The advice of the storage driver. */
  readonly waysOut: string;
  /** Of the genesis file. */
  readonly chainId: bigint | undefined;
}

/**
 * Throws `STORAGE_LOST` if a database does not contain the block of a marker, `GENESIS_MISMATCH` if
 * it was written under another chain id.
 *
 * A head below that block is not a loss by itself: the operator may have rewound it, which leaves
 * the blocks above it in the database.
 */
export function verifyMarkedHead(chain: ChainStore, marked: MarkedHead, place: MarkedPlace): void {
  const block = describe(marked);
  if (chain.findHash(0n) === undefined) {
    throw lost(`is empty, but ${block} was written to it`, place);
  }
  verifyMarkedChain(chain, marked, place);
  if (chain.hasHeader(marked.hash)) return;
  throw lost(
    `${describeEnd(chain)}, but it had reached ${block}; ${describeGap(chain, marked)}`,
    place,
  );
}

/** Throws if a database contains another chain than a marker. */
export function verifyMarkedChain(chain: ChainStore, marked: MarkedHead, place: MarkedPlace): void {
  const genesis = chain.findHash(0n);
  if (genesis !== marked.genesisHash) {
    const found = `contains another chain, whose block 0 is ${genesis}`;
    throw lost(`${found}; ${describe(marked)} is not in it`, place);
  }
  const { chainId } = place;
  if (chainId === undefined || marked.chainId === undefined || chainId === marked.chainId) return;
  throw new StorageError("GENESIS_MISMATCH", {
    message: `${place.folder} contains a chain with the id ${marked.chainId}, but the genesis file has the id ${chainId}. Nothing was changed. Correct the genesis file, or choose another --data-path`,
    folder: place.folder,
  });
}

function describe({ number, hash }: MarkedHead): string {
  return `block ${number} (${hash})`;
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
    message: `${folder} ${what}. Nothing was changed. ${waysOut}; or restore the right database. To continue with the existing data, remove ${markerPath}; the missing blocks are then synchronized again`,
    folder,
  });
}
