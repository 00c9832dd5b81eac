import { RlpError } from "@plinth/core";
import { BftExtraDataCodec, BlockForm } from "@plinth/kit-bft";

const ROUND_BYTES = 4;

/** Extra data of IBFT 2.0: no vote is an empty string, and the round has four bytes. */
export const ibftExtraData = new BftExtraDataCodec({
  type: "IBFT_EXTRA_DATA",
  engine: "ibft2",
  title: "IBFT 2.0",
  noVote: new Uint8Array(),
  dropVote: Uint8Array.of(0),
  roundToRlp,
  roundFromBytes,
  allowsMore: false,
  sealed: (items) => items.slice(0, 4),
  hashed: (items) => items.slice(0, 3),
});

/** Hashes and encodings of IBFT 2.0 blocks. */
export const ibftForm = new BlockForm(ibftExtraData);

function roundToRlp(round: number): Uint8Array {
  const bytes = new Uint8Array(ROUND_BYTES);
  new DataView(bytes.buffer).setUint32(0, round);
  return bytes;
}

function roundFromBytes(bytes: Uint8Array): number {
  if (bytes.length === ROUND_BYTES) return bytes.reduce((value, byte) => value * 256 + byte, 0);
  throw new RlpError(`round: ${bytes.length} bytes, expected ${ROUND_BYTES}`);
}
