import { type Address, hexToBytes, InvariantError } from "@plinth/core";
import type { Entry } from "@plinth/core/storage";
import {
  ADDRESS_BYTES,
  encodePosition,
  INDEX_BYTES,
  KINDS,
  NUMBER_BYTES,
  nonceKey,
  positionKey,
} from "./index-key.js";

/** What the index knows about a transaction. */
export interface IndexedTransaction {
  readonly sender: Address;
  readonly nonce: bigint;
  /** Every address that takes part, each once. */
  readonly parties: Iterable<Address>;
  /** The contracts that it created, with the accounts that executed the creation. */
  readonly created: Iterable<readonly [contract: Address, creator: Address]>;
}

const NOTHING = new Uint8Array();

/**
 * The entries of a block as bytes, without its number.
 *
 * They are stored beside the entries, so that these can be removed when the block can no longer be executed.
 */
export function encodeRecord(transactions: Iterable<IndexedTransaction>): Uint8Array {
  const parts: Uint8Array[] = [];
  let index = 0;
  for (const { sender, nonce, parties, created } of transactions) {
    const position = encodeIndex(index);
    parts.push(Uint8Array.of(KINDS.nonce), position, hexToBytes(sender), encodeNonce(nonce));
    for (const party of parties) {
      parts.push(Uint8Array.of(KINDS.party), position, hexToBytes(party));
    }
    for (const [contract, creator] of created) {
      const addresses = [hexToBytes(contract), hexToBytes(creator)];
      parts.push(Uint8Array.of(KINDS.created), position, ...addresses);
    }
    index += 1;
  }
  return new Uint8Array(Buffer.concat(parts));
}

/** The entries of a block in the table. */
export function* entriesOf(number: bigint, record: Uint8Array): Generator<Entry> {
  const view = Buffer.from(record.buffer, record.byteOffset, record.byteLength);
  let at = 0;
  const take = (length: number) => {
    at += length;
    return view.subarray(at - length, at);
  };
  while (at < view.length) {
    const kind = take(1).readUInt8();
    const index = take(INDEX_BYTES).readUInt32BE();
    const address = take(ADDRESS_BYTES);
    if (kind === KINDS.party) yield [positionKey(kind, address, { number, index }), NOTHING];
    else if (kind === KINDS.created) {
      yield [positionKey(kind, address, { number, index }), take(ADDRESS_BYTES)];
    } else if (kind === KINDS.nonce) {
      const nonce = take(NUMBER_BYTES).readBigUInt64BE();
      yield [nonceKey(address, nonce), encodePosition(number, index)];
    } else throw new InvariantError(`the record of block ${number} has an entry of kind ${kind}`);
  }
}

function encodeIndex(index: number): Uint8Array {
  const bytes = Buffer.alloc(INDEX_BYTES);
  bytes.writeUInt32BE(index);
  return bytes;
}

function encodeNonce(nonce: bigint): Uint8Array {
  const bytes = Buffer.alloc(NUMBER_BYTES);
  bytes.writeBigUInt64BE(nonce);
  return bytes;
}
