import { decodeRlp, encodeRlp, type Hash, type Hex, type Rlp, toHex } from "@plinth/core";
import type { StoredAccount } from "@plinth/core/chain";

/** Numbers of up to 48 bits are exact. */
const MAX_NUMBER_BYTES = 6;

/** Encodes an account: nonce, balance, storage root, code hash. */
export function encodeAccount(account: StoredAccount): Uint8Array {
  return encodeRlp([
    quantityBytes(account.nonce),
    quantityBytes(account.balance),
    bytesOf(account.storageRoot),
    bytesOf(account.codeHash),
  ]);
}

/** Decodes an account; throws if the bytes are malformed. */
export function decodeAccount(bytes: Uint8Array): StoredAccount {
  const item = decodeRlp(bytes);
  if (item instanceof Uint8Array || item.length !== 4) {
    throw new RangeError("not an account: expected a list of 4 items");
  }
  const [nonce, balance, storageRoot, codeHash] = item.map(bytesIn) as [Hex, Hex, Hash, Hash];
  return { nonce: quantityOf(nonce), balance: quantityOf(balance), storageRoot, codeHash };
}

/** Encodes the value of a non-zero storage slot. */
export function encodeSlotValue(value: bigint): Uint8Array {
  return encodeRlp(quantityBytes(value));
}

/** Decodes the value of a storage slot; throws if the bytes are malformed. */
export function decodeSlotValue(bytes: Uint8Array): bigint {
  return quantityOf(bytesIn(decodeRlp(bytes)));
}

/** The bytes of an identity. */
export function bytesOf(identity: Hex): Uint8Array {
  return new Uint8Array(Buffer.from(identity.slice(2), "hex"));
}

function bytesIn(item: Rlp): Hex {
  if (!(item instanceof Uint8Array)) throw new RangeError("expected bytes, found a list");
  return toHex(item);
}

/** The number of `quantityBytes`. */
export function quantityIn(item: Rlp | undefined): bigint {
  if (!(item instanceof Uint8Array) || item.length > MAX_NUMBER_BYTES) {
    return quantityOf(bytesIn(item ?? []));
  }
  let value = 0;
  for (let at = 0; at < item.length; at++) value = value * 256 + (item[at] as number);
  return BigInt(value);
}

function quantityOf(hex: Hex): bigint {
  return hex === "0x" ? 0n : BigInt(hex);
}

/** A number without leading zeros; empty for zero. */
export function quantityBytes(value: bigint): Uint8Array {
  if (value < 0n) throw new RangeError(`a balance or nonce cannot be negative: ${value}`);
  if (value === 0n) return new Uint8Array();
  const digits = value.toString(16);
  return bytesOf(digits.length % 2 === 0 ? `0x${digits}` : `0x0${digits}`);
}

/** Bytes as text, one character per byte: for maps in memory. */
export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
