/** Bytes written as `0x` and lower-case digits. */
export type Hex = `0x${string}`;
/** 32 bytes as lower-case hex. */
export type Hash = Hex;
/** 20 bytes as lower-case hex. */
export type Address = Hex;

/** 32 bytes of zero: no block and no value has it. */
export const ZERO_HASH: Hash = `0x${"00".repeat(32)}`;

const DIGITS = /^[0-9a-f]*$/i;

/** Writes bytes as `0x` and lower-case digits. */
export function toHex(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex")}`;
}

/** Reads an even number of hex digits, with or without `0x`; `undefined` when the text is something else. */
export function parseHex(text: string): Uint8Array | undefined {
  const digits = withoutPrefix(text);
  if (digits.length % 2 !== 0 || !DIGITS.test(digits)) return undefined;
  return new Uint8Array(Buffer.from(digits, "hex"));
}

/** Reads hex digits that must be right, as in constants and stored values; throws `RangeError` when they are not. */
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

/** A number as callers know it: `0x` and hex digits without leading zeros. */
export function toQuantity(value: bigint | number): string {
  return `0x${value.toString(16)}`;
}
