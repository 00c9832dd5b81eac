/** The number that bytes are in big-endian order. */
export function toBigInt(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n;
  const { buffer, byteOffset, length } = bytes;
  return BigInt(`0x${Buffer.from(buffer, byteOffset, length).toString("hex")}`);
}

/** The bytes of a number in big-endian order, padded to a length. */
export function toBytes(value: bigint, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  const digits = Buffer.from(value.toString(16).padStart(2 * length, "0"), "hex");
  bytes.set(digits);
  return bytes;
}

/** A piece of input, as if zeros without end followed the input. */
export function readPadded(data: Uint8Array, start: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  bytes.set(data.subarray(start, start + length));
  return bytes;
}
