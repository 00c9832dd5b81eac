/** Bytes written as `0x` and lower-case digits. */
export type Hex = `0x${string}`;
/** 32 bytes as lower-case hex. */
export type Hash = Hex;
/** 20 bytes as lower-case hex. */
export type Address = Hex;

const DIGITS = /^[0-9a-f]*$/i;

/** Writes bytes as `0x` and lower-case digits. */
export function toHex(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex")}`;
}

/** Reads an even number of hex digits, with or without `0x`; `undefined` when the text is something else. */
export function findBytes(text: string): Uint8Array | undefined {
  const digits = withoutPrefix(text);
  if (digits.length % 2 !== 0 || !DIGITS.test(digits)) return undefined;
  return new Uint8Array(Buffer.from(digits, "hex"));
}

/** The digits without `0x`. */
export function withoutPrefix(text: string): string {
  return text.startsWith("0x") || text.startsWith("0X") ? text.slice(2) : text;
}
