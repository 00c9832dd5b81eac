import { decodeRlp, EMPTY_ROOT, encodeRlp, type Hash, StorageError, toHex } from "@plinth/core";
import type { StoredAccount } from "@plinth/core/chain";
import { EMPTY_CODE_HASH } from "@plinth/core/evm";
import { bytesOf, quantityBytes, quantityIn } from "../state/state-values.js";

/** A value of an account or a slot. */
export interface FlatValue {
  /** How often the storage of the account was cleared; zero for slots. */
  readonly incarnation: number;
  /** Empty if there is no account, or if the slot is zero. */
  readonly body: Uint8Array;
}

/** A stored value, and the block that wrote it. */
export interface FlatRecord extends FlatValue {
  readonly since: number;
  /** How many values the key had before. */
  readonly version: number;
}

/** Encodes a record. */
export function encodeRecord({ since, version, incarnation, body }: FlatRecord): Uint8Array {
  const bytes = new Uint8Array(MAX_START_BYTES + body.length);
  let at = writeVarint(bytes, 0, since);
  at = writeVarint(bytes, at, version);
  at = writeVarint(bytes, at, incarnation);
  bytes.set(body, at);
  return bytes.subarray(0, at + body.length);
}

/** Decodes a record; throws `RangeError` if it is cut off. */
export function decodeRecord(bytes: Uint8Array): FlatRecord {
  const reader = new VarintReader(bytes);
  const since = reader.next();
  const version = reader.next();
  const incarnation = reader.next();
  return { since, version, incarnation, body: bytes.subarray(reader.at) };
}

/** The body of an account: as in the account trie, without the hashes of empty storage and code. */
export function encodeAccountBody(account: StoredAccount | undefined): Uint8Array {
  if (account === undefined) return NOTHING;
  const { nonce, balance, storageRoot, codeHash } = account;
  return encodeRlp([
    quantityBytes(nonce),
    quantityBytes(balance),
    storageRoot === EMPTY_ROOT ? NOTHING : bytesOf(storageRoot),
    codeHash === EMPTY_CODE_HASH ? NOTHING : bytesOf(codeHash),
  ]);
}

/** The account of a body; `undefined` if there is none. */
export function decodeAccountBody(body: Uint8Array): StoredAccount | undefined {
  if (body.length === 0) return undefined;
  const item = decodeRlp(body);
  if (item instanceof Uint8Array || item.length !== 4) throw new RangeError("not an account");
  const [nonce, balance, storageRoot, codeHash] = item;
  return {
    nonce: quantityIn(nonce),
    balance: quantityIn(balance),
    storageRoot: hashIn(storageRoot) ?? EMPTY_ROOT,
    codeHash: hashIn(codeHash) ?? EMPTY_CODE_HASH,
  };
}

/** The body of a slot: its value without leading zeros. */
export function encodeSlotBody(value: bigint): Uint8Array {
  return quantityBytes(value);
}

/** The value of a slot. */
export function decodeSlotBody(body: Uint8Array): bigint {
  return quantityIn(body);
}

/** A change of a value in a block. */
export interface ValueChange extends FlatValue {
  /** The key of an account (32 bytes), or of a slot. */
  readonly key: Uint8Array;
}

/** Encodes the changes of a block. */
export function encodeChanges(changes: readonly ValueChange[]): Uint8Array {
  return encodeRlp(changes.map(({ key, incarnation, body }) => [key, varint(incarnation), body]));
}

/** Decodes the changes of a block. */
export function decodeChanges(bytes: Uint8Array): readonly ValueChange[] {
  const list = decodeRlp(bytes);
  if (list instanceof Uint8Array) throw new RangeError("not a list of changes");
  return list.map((item) => {
    const [key, incarnation, body] = item instanceof Uint8Array ? [] : item;
    if (
      !(
        key instanceof Uint8Array &&
        incarnation instanceof Uint8Array &&
        body instanceof Uint8Array
      )
    ) {
      throw new RangeError("not a change");
    }
    return { key, incarnation: new VarintReader(incarnation).next(), body };
  });
}

/** Encodes the keys that a block changed, each with the version it wrote. */
export function encodeChangedKeys(
  keys: readonly { readonly key: Uint8Array; readonly version: number }[],
): Uint8Array {
  return encodeRlp(keys.map(({ key, version }) => [key, varint(version)]));
}

/** Decodes the keys that a block changed. */
export function decodeChangedKeys(
  bytes: Uint8Array,
): readonly { readonly key: Uint8Array; readonly version: number }[] {
  const list = decodeRlp(bytes);
  if (list instanceof Uint8Array) throw new RangeError("not a list of keys");
  return list.map((item) => {
    const [key, version] = item instanceof Uint8Array ? [] : item;
    if (!(key instanceof Uint8Array && version instanceof Uint8Array)) {
      throw new RangeError("not a changed key");
    }
    return { key, version: new VarintReader(version).next() };
  });
}

/** The error of an entry that is missing or cannot be read. */
export function damagedEntry(table: string, key: Uint8Array, cause?: unknown): StorageError {
  return new StorageError("STORAGE_DAMAGED", {
    message: `the database is damaged: ${table} ${toHex(key)} ${cause === undefined ? "is missing" : "cannot be read"}`,
    table,
    cause,
  });
}

const NOTHING = new Uint8Array();
const GROUP = 0x80;

/** Three numbers of up to 53 bits. */
const MAX_START_BYTES = 24;

/** Writes a number, seven bits per byte, lowest first, as in Protocol Buffers; returns its end. */
function writeVarint(bytes: Uint8Array, start: number, value: number): number {
  let at = start;
  let rest = value;
  while (rest >= GROUP) {
    bytes[at++] = (rest % GROUP) + GROUP;
    rest = Math.floor(rest / GROUP);
  }
  bytes[at++] = rest;
  return at;
}

function varint(value: number): Uint8Array {
  const bytes = new Uint8Array(MAX_START_BYTES);
  return bytes.subarray(0, writeVarint(bytes, 0, value));
}

class VarintReader {
  readonly #bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  next(): number {
    let value = 0;
    for (let factor = 1; ; factor *= GROUP) {
      const byte = this.#bytes[this.at++];
      if (byte === undefined) throw new RangeError("a record is cut off");
      value += (byte % GROUP) * factor;
      if (!Number.isSafeInteger(value)) throw new RangeError("a number of a record is too large");
      if (byte < GROUP) return value;
    }
  }
}

function hashIn(item: unknown): Hash | undefined {
  if (!(item instanceof Uint8Array)) throw new RangeError("expected bytes, found a list");
  return item.length === 0 ? undefined : toHex(item);
}
