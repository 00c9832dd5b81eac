import type { Address, SealedHeader } from "@plinth/core";
import type { WeighedHeader } from "@plinth/core/consensus";

/** Dependencies of the fork choice. */
export interface ForkChoiceSource {
  signerOf(header: SealedHeader): Address;
  /** The signers after a block, in ascending order. */
  signersAfter(header: SealedHeader): readonly Address[];
}

/**
 * Whether the candidate is the better head: a total order, so that nodes with the same blocks agree (EIP-3436).
 *
 * First the heavier chain, then the shorter one, then the signer whose turn was the fewest blocks ago, then the lower hash.
 */
export function isBetterHead(
  candidate: WeighedHeader,
  head: WeighedHeader,
  source: ForkChoiceSource,
): boolean {
  const [a, b] = [candidate.header, head.header];
  if (candidate.totalDifficulty !== head.totalDifficulty) {
    return candidate.totalDifficulty > head.totalDifficulty;
  }
  if (a.number !== b.number) return a.number < b.number;
  const [since, other] = [distanceToTurn(a, source), distanceToTurn(b, source)];
  if (since !== other) return since < other;
  return a.hash < b.hash;
}

/**
 * Number of blocks since the turn of the block's signer; the text of EIP-3436 prefers the largest,
 * Besu the smallest.
 */
function distanceToTurn(header: SealedHeader, source: ForkChoiceSource): number {
  const signers = source.signersAfter(header);
  if (signers.length === 0) return 0;
  const found = signers.indexOf(source.signerOf(header));
  const index = found === -1 ? signers.length : found;
  const size = BigInt(signers.length);
  const distance = (header.number - BigInt(index)) % size;
  return Number(distance < 0n ? distance + size : distance);
}
