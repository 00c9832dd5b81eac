/** The bytes of hex; an odd or invalid text has none. */
export function toBytes(hex: string): Uint8Array {
  const digits = hex.replace(/^0x/, "");
  if (digits.length % 2 === 1 || !/^[0-9a-f]*$/i.test(digits)) return new Uint8Array();
  const bytes = new Uint8Array(digits.length / 2);
  for (let index = 0; index < bytes.length; index++) {
    bytes[index] = Number.parseInt(digits.slice(index * 2, index * 2 + 2), 16);
  }
  return bytes;
}

/** Bytes as hex. */
export function fromBytes(bytes: Uint8Array): string {
  let text = "0x";
  for (const byte of bytes) text += byte.toString(16).padStart(2, "0");
  return text;
}
