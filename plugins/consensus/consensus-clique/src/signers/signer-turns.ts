import type { Address, ChainReader, SealedHeader } from "@plinth/core";
import { majorityOf } from "@plinth/kit-poa";

const IN_TURN = 2n;
const OUT_OF_TURN = 1n;

/** The in-turn signer of a block number; `undefined` if there are no signers. */
export function inTurnSigner(number: bigint, signers: readonly Address[]): Address | undefined {
  return signers.length === 0 ? undefined : signers[Number(number % BigInt(signers.length))];
}

/** Difficulty of a block: the chain with more in-turn blocks is the heavier one. */
export function difficultyOf(signer: Address, number: bigint, signers: readonly Address[]): bigint {
  return inTurnSigner(number, signers) === signer ? IN_TURN : OUT_OF_TURN;
}

/** Number of blocks that a signer must leave to others after its own. */
export function blocksToSkip(signers: number): number {
  return majorityOf(signers) - 1;
}

/** Number of signers that may be down while the others still produce blocks. */
export function spareSigners(signers: number): number {
  return Math.max(0, signers - majorityOf(signers));
}

/**
 * The number of the recent block because of which a signer must not sign on this parent yet;
 * `undefined` if it may.
 */
export function findRecentBlock(
  signer: Address,
  parent: SealedHeader,
  {
    skip,
    chain,
    signerOf,
  }: {
    readonly skip: number;
    readonly chain: Pick<ChainReader, "findHeader">;
    readonly signerOf: (header: SealedHeader) => Address;
  },
): bigint | undefined {
  let at: SealedHeader | undefined = parent;
  for (let steps = 0; steps < skip && at !== undefined && at.number > 0n; steps++) {
    if (signerOf(at) === signer) return at.number;
    at = chain.findHeader(at.parentHash);
  }
  return undefined;
}
