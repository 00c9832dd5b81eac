import { type Address, hexToBytes } from "@plinth/core";

/** The coverage of the index sorts before all entries. */
export const COVERAGE_KEY = Uint8Array.of(0);

/** What an entry says about its address: it takes part, was created, or sent with a nonce. */
export const KINDS = { party: 1, created: 2, nonce: 3 } as const;

/** Records sort after all entries. */
const RECORD = 4;
export const ADDRESS_BYTES = 20;
export const NUMBER_BYTES = 8;
export const INDEX_BYTES = 4;
const POSITION_AT = 1 + ADDRESS_BYTES;

/** The key of an entry of an address at a transaction; those of an address are in order of the chain. */
export function positionKey(
  kind: typeof KINDS.party | typeof KINDS.created,
  address: Uint8Array,
  { number, index }: { readonly number: bigint; readonly index: number },
): Uint8Array {
  const key = Buffer.alloc(POSITION_AT + NUMBER_BYTES + INDEX_BYTES);
  key.writeUInt8(kind);
  key.set(address, 1);
  key.set(encodePosition(number, index), POSITION_AT);
  return key;
}

/** The key of the transaction of a sender with a nonce. */
export function nonceKey(sender: Uint8Array, nonce: bigint): Uint8Array {
  const key = Buffer.alloc(POSITION_AT + NUMBER_BYTES);
  key.writeUInt8(KINDS.nonce);
  key.set(sender, 1);
  key.writeBigUInt64BE(nonce, POSITION_AT);
  return key;
}

/** The key of the record of a block: which entries it has. */
export function recordKey(number: bigint): Uint8Array {
  const key = Buffer.alloc(1 + NUMBER_BYTES);
  key.writeUInt8(RECORD);
  key.writeBigUInt64BE(number, 1);
  return key;
}

/** The number in the key of a record. */
export function numberIn(key: Uint8Array): bigint {
  return Buffer.from(key.buffer, key.byteOffset, key.byteLength).readBigUInt64BE(1);
}

/** All entries of one kind of an address within a range of blocks, for an iteration. */
export function keyRange(
  kind: typeof KINDS.party | typeof KINDS.created,
  address: Address,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): { readonly from: Uint8Array; readonly to: Uint8Array } {
  const bytes = hexToBytes(address);
  return {
    from: positionKey(kind, bytes, { number: from, index: 0 }),
    to: positionKey(kind, bytes, { number: to + 1n, index: 0 }),
  };
}

/** The position in the key of an entry. */
export function positionIn(key: Uint8Array) {
  return decodePosition(key.subarray(POSITION_AT));
}

export function encodePosition(number: bigint, index: number): Uint8Array {
  const bytes = Buffer.alloc(NUMBER_BYTES + INDEX_BYTES);
  bytes.writeBigUInt64BE(number);
  bytes.writeUInt32BE(index, NUMBER_BYTES);
  return bytes;
}

export function decodePosition(bytes: Uint8Array) {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { number: view.readBigUInt64BE(), index: view.readUInt32BE(NUMBER_BYTES) };
}
