import { type Address, type Header, toHex, ZERO_ADDRESS } from "@plinth/core";
import type { Proposal, Vote } from "@plinth/kit-poa";

const NONCE_BYTES = 8;
const ADD = new Uint8Array(NONCE_BYTES).fill(0xff);
const DROP = new Uint8Array(NONCE_BYTES);

/** Whether a nonce is one of the two that a vote can have. */
export function isVoteNonce(nonce: Uint8Array): boolean {
  return [ADD, DROP].some((allowed) => toHex(allowed) === toHex(nonce));
}

/**
 * The vote in a non-epoch block: the coinbase is the candidate, the nonce whether to add or drop
 * it.
 */
export function voteIn(header: Header, signerOf: (header: Header) => Address): Vote | undefined {
  const { coinbase, nonce, number } = header;
  if (coinbase === ZERO_ADDRESS) return undefined;
  const kind = toHex(nonce) === toHex(ADD) ? "add" : "drop";
  return { candidate: coinbase, kind, voter: signerOf(header), block: number };
}

/** The header fields of a vote. */
export function voteFields(proposal: Proposal | undefined): Pick<Header, "coinbase" | "nonce"> {
  if (proposal === undefined) return { coinbase: ZERO_ADDRESS, nonce: DROP };
  return { coinbase: proposal.candidate, nonce: proposal.kind === "add" ? ADD : DROP };
}
