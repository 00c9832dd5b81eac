/** Bytes written as `0x` and lower-case digits. */
export type Hex = `0x${string}`;
/** 32 bytes as lower-case hex. */
export type Hash = Hex;
/** 20 bytes as lower-case hex. */
export type Address = Hex;

/** 32 zero bytes: the hash of no block and no value. */
export const ZERO_HASH: Hash = `0x${"00".repeat(32)}`;

const DIGITS = /^[0-9a-f]*$/i;

/** Addresses, hashes and words, which are most of what is encoded: a Buffer for each would take half of the time. */
const short = Buffer.alloc(64);

/** Encodes bytes as `0x` and lower-case digits. */
export function toHex(bytes: Uint8Array): Hex {
  if (bytes.length <= short.length) {
    short.set(bytes);
    return `0x${short.toString("hex", 0, bytes.length)}`;
  }
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex")}`;
}

/**
 * Decodes an even number of hex digits, with or without `0x`; `undefined` if the text is invalid.
 */
export function parseHex(text: string): Uint8Array | undefined {
  const digits = withoutPrefix(text);
  if (digits.length % 2 !== 0 || !DIGITS.test(digits)) return undefined;
  return new Uint8Array(Buffer.from(digits, "hex"));
}

/**
 * Decodes hex digits that must be valid, as in constants and stored values; throws `RangeError` if
 * they are not.
 */
export function hexToBytes(text: string): Uint8Array {
  const bytes = parseHex(text);
  if (bytes === undefined)
    throw new RangeError(`expected hex digits, got ${JSON.stringify(text.slice(0, 20))}`);
  return bytes;
}

/** The digits without `0x`. */
export function withoutPrefix(text: string): string {
  return text.startsWith("0x") || text.startsWith("0X") ? text.slice(2) : text;
}

/** A JSON-RPC quantity: `0x` and hex digits without leading zeros. */
export function toQuantity(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}
