import type { Address } from "@plinth/core";

/** The address in a stack word. */
export function addressIn(word = 0n): Address {
  return `0x${(word & (2n ** 160n - 1n)).toString(16).padStart(40, "0")}`;
}

/** A range of memory; zero beyond its end. */
export function dataAt(memory: Uint8Array, offset = 0n, size = 0n): Uint8Array {
  const data = new Uint8Array(Number(size));
  if (offset < memory.length) data.set(memory.subarray(Number(offset), Number(offset + size)));
  return data;
}
