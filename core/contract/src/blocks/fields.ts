import { type Address, type Hash, type Hex, toHex } from "../primitives/hex.js";
import { type Rlp, RlpError } from "../primitives/rlp.js";

const UINT64_BYTES = 8;
const UINT256_BYTES = 32;

const HASH_BYTES = 32;
const ADDRESS_BYTES = 20;
/** Numbers of up to this many bytes are exact as `number`, which is faster than a bigint. */
const SAFE_NUMBER_BYTES = 6;
const MAX_SAFE_NUMBER = 2n ** BigInt(8 * SAFE_NUMBER_BYTES) - 1n;

/**
 * Reads the fields of an RLP list one after another.
 *
 * Throws an `RlpError` that names the field if its form is invalid.
 */
export class Fields {
  readonly #owner: string;
  readonly #items: readonly Rlp[];
  #next = 0;

  /** `owner` is the name of the list in messages. */
  constructor(owner: string, item: Rlp) {
    if (item instanceof Uint8Array)
      throw new RlpError(`${owner}: bytes, expected a list of fields`);
    this.#owner = owner;
    this.#items = item;
  }

  /** Whether another field follows. */
  hasMore(): boolean {
    return this.#next < this.#items.length;
  }

  /** Throws if fields are left. */
  verifyEnd(): void {
    if (this.hasMore()) {
      throw new RlpError(
        `${this.#owner}: ${this.#items.length} fields, expected at most ${this.#next}`,
      );
    }
  }

  item(name: string): Rlp {
    const item = this.#items[this.#next];
    if (item === undefined) {
      throw new RlpError(`${this.#owner}.${name}: missing; the list has ${this.#next} fields`);
    }
    this.#next++;
    return item;
  }

  list(name: string): readonly Rlp[] {
    const item = this.item(name);
    if (item instanceof Uint8Array) throw this.#wrong(name, "bytes, expected a list");
    return item;
  }

  bytes(name: string): Uint8Array {
    const item = this.item(name);
    if (!(item instanceof Uint8Array)) throw this.#wrong(name, "a list, expected bytes");
    return item;
  }

  fixed(name: string, length: number): Uint8Array {
    const bytes = this.bytes(name);
    if (bytes.length !== length) {
      throw this.#wrong(name, `${bytes.length} bytes, expected ${length}`);
    }
    return bytes;
  }

  hash(name: string): Hash {
    return toHex(this.fixed(name, HASH_BYTES));
  }

  address(name: string): Address {
    return toHex(this.fixed(name, ADDRESS_BYTES));
  }

  /** An address, or `undefined` for empty bytes. */
  optionalAddress(name: string): Address | undefined {
    const bytes = this.bytes(name);
    if (bytes.length === 0) return undefined;
    if (bytes.length !== ADDRESS_BYTES) {
      throw this.#wrong(name, `${bytes.length} bytes, expected none or ${ADDRESS_BYTES}`);
    }
    return toHex(bytes);
  }

  hashes(name: string): readonly Hash[] {
    const items = new Fields(`${this.#owner}.${name}`, this.list(name));
    const hashes: Hash[] = [];
    while (items.hasMore()) hashes.push(items.hash(String(hashes.length)));
    return hashes;
  }

  uint64(name: string): bigint {
    return this.#scalar(name, UINT64_BYTES);
  }

  uint256(name: string): bigint {
    return this.#scalar(name, UINT256_BYTES);
  }

  #scalar(name: string, maxBytes: number): bigint {
    const bytes = this.bytes(name);
    if (bytes.length > maxBytes) {
      throw this.#wrong(name, `${bytes.length} bytes, expected at most ${maxBytes}`);
    }
    if (bytes[0] === 0) throw this.#wrong(name, "a number with leading zeros");
    return toBigInt(bytes);
  }

  #wrong(name: string, what: string): RlpError {
    return new RlpError(`${this.#owner}.${name}: ${what}`);
  }
}

/** The bytes of an identity. */
export function hexBytes(hex: Hex): Uint8Array {
  return new Uint8Array(Buffer.from(hex.slice(2), "hex"));
}

/** The big-endian bytes of a number without leading zeros, as RLP requires; empty for zero. */
export function scalarBytes(value: bigint): Uint8Array {
  if (value === 0n) return new Uint8Array();
  if (value < 0n) throw new RlpError(`${value} is negative and cannot be encoded`);
  if (value <= MAX_SAFE_NUMBER) return numberBytes(Number(value));
  const digits = value.toString(16);
  return hexBytes(`0x${digits.length % 2 === 0 ? digits : `0${digits}`}`);
}

function numberBytes(value: number): Uint8Array {
  let length = 0;
  for (let rest = value; rest >= 1; rest /= 256) length++;
  const bytes = new Uint8Array(length);
  for (let at = length - 1, rest = value; at >= 0; at--, rest = Math.floor(rest / 256)) {
    bytes[at] = rest % 256;
  }
  return bytes;
}

function toBigInt(bytes: Uint8Array): bigint {
  if (bytes.length > SAFE_NUMBER_BYTES) return BigInt(toHex(bytes));
  let value = 0;
  for (const byte of bytes) value = value * 256 + byte;
  return BigInt(value);
}
