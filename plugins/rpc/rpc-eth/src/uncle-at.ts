import { type Compatibility, keccakHeader, type SealedBlock } from "@plinth/core";
import { blockObject } from "@plinth/kit-rpc";

/** An uncle of a block in its RPC form: a block with only its header. */
export function uncleAt(
  block: SealedBlock | undefined,
  index: number,
  compatibility: Compatibility,
): object | null {
  const uncle = block?.body.uncles[index];
  if (uncle === undefined) return null;
  const header = { ...uncle, hash: keccakHeader(uncle) };
  const body = { transactions: [], uncles: [] };
  return blockObject({ header, body }, { totalDifficulty: 0n, verbose: false, compatibility });
}
