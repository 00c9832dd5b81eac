import { RlpError } from "@plinth/core";
import { scalarBytes } from "@plinth/core/blocks";
import { BftExtraDataCodec, BlockForm } from "@plinth/kit-bft";

const NOTHING = new Uint8Array();
const MAX_ROUND_BYTES = 4;

/**
 * Extra data of QBFT: always five items; no vote is an empty list, the round a number without
 * leading zeros.
 */
export const qbftExtraData = new BftExtraDataCodec({
  type: "QBFT_EXTRA_DATA",
  engine: "qbft",
  title: "QBFT",
  noVote: [],
  dropVote: NOTHING,
  roundToRlp: (round) => scalarBytes(BigInt(round)),
  roundFromBytes,
  allowsMore: true,
  sealed: (items) => items,
  hashed: (items) => items,
});

/** Hashes and encodings of QBFT blocks. */
export const qbftForm = new BlockForm(qbftExtraData);

function roundFromBytes(bytes: Uint8Array): number {
  if (bytes[0] === 0) throw new RlpError("round: a number with leading zeros");
  if (bytes.length > MAX_ROUND_BYTES) throw new RlpError(`round: ${bytes.length} bytes`);
  return bytes.reduce((value, byte) => value * 256 + byte, 0);
}
