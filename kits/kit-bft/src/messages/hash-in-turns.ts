import { getCrypto, Yielder } from "@plinth/core";
import { loadRunningKeccak } from "@plinth/core/primitives";

/** Up to this many bytes are hashed at once, which takes about a millisecond. */
const PART_BYTES = 256 * 1024;

/** The Keccak-256 hash of several byte arrays in a row; yields while hashing long ones. */
export async function hashInTurns(parts: readonly Uint8Array[]): Promise<Uint8Array> {
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  if (size <= PART_BYTES) return hashNow(parts);
  const createHash = await loadRunningKeccak();
  const hash = createHash();
  const yielder = new Yielder("chain");
  for (const part of parts) {
    for (let at = 0; at < part.length; at += PART_BYTES) {
      hash.update(part.subarray(at, at + PART_BYTES));
      await yielder.yield();
    }
  }
  return hash.digest();
}

/** The same hash, synchronously. */
export function hashNow(parts: readonly Uint8Array[]): Uint8Array {
  return getCrypto().keccak256(Buffer.concat(parts));
}
