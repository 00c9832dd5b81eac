import { type Address, type Header, hexToBytes, InvalidBlock, toHex } from "@plinth/core";

/** A vote for or against an authority. */
export interface Vote {
  readonly candidate: Address;
  readonly isFor: boolean;
}

export const SEAL_BYTES = 65;
const VOTE_BYTES = 21;

/** The vote in a header, which precedes the seal; `undefined` if it has none. */
export function voteIn({ number, extraData }: Header): Vote | undefined {
  if (number === 0n || extraData.length === SEAL_BYTES) return undefined;
  if (extraData.length !== VOTE_BYTES + SEAL_BYTES) {
    throw new InvalidBlock(
      "extra-data",
      `block ${number}: its extra data has ${extraData.length} bytes, expected a seal of ${SEAL_BYTES} after a vote of ${VOTE_BYTES} or none`,
    );
  }
  return { candidate: toHex(extraData.slice(0, 20)), isFor: extraData[20] === 1 };
}

/** A vote as encoded in a header. */
export function encodeVote(vote: Vote | undefined): Uint8Array {
  if (vote === undefined) return new Uint8Array();
  return Uint8Array.of(...hexToBytes(vote.candidate), vote.isFor ? 1 : 0);
}

/** The part of the extra data that an author signs: everything but the seal. */
export function withoutSeal({ number, extraData }: Header): Uint8Array {
  return number === 0n ? extraData : extraData.slice(0, -SEAL_BYTES);
}
