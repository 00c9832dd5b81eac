/** The number encoded by big-endian bytes. */
export function toBigInt(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n;
  const { buffer, byteOffset, length } = bytes;
  return BigInt(`0x${Buffer.from(buffer, byteOffset, length).toString("hex")}`);
}

/** The big-endian bytes of a number, padded to a length. */
export function toBytes(value: bigint, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  const digits = Buffer.from(value.toString(16).padStart(2 * length, "0"), "hex");
  bytes.set(digits);
  return bytes;
}

/** A part of the input, as if it were followed by infinite zeros. */
export function readPadded(data: Uint8Array, start: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes.set(data.subarray(start, start + length));
  return bytes;
}
