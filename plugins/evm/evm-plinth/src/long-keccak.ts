import { keccak256 } from "@plinth/core";
import { loadRunningKeccak, type RunningKeccak } from "@plinth/core/primitives";

/** Bytes hashed between two checks of the time limit: about ten milliseconds. */
export const PIECE_BYTES = 2 ** 20;

let begin: (() => RunningKeccak) | undefined;

/** Loads the incremental hash for long input. */
export async function loadLongKeccak(): Promise<void> {
  begin ??= await loadRunningKeccak();
}

/**
 * The Keccak-256 hash of input of any length; `interrupt` is called before each piece of long
 * input, and may throw.
 */
export function hashInPieces(bytes: Uint8Array, interrupt: () => void): Uint8Array {
  if (bytes.length <= PIECE_BYTES || begin === undefined) return keccak256(bytes);
  const hash = begin();
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    interrupt();
    hash.update(bytes.subarray(start, start + PIECE_BYTES));
  }
  return hash.digest();
}
