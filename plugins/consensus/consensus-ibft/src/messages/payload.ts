import { hexToBytes, toHex } from "@plinth/core";
import { PayloadForm, VoteCodec } from "@plinth/kit-bft";
import { codes } from "./codes.js";

const HEIGHT_BYTES = 8;
const ROUND_BYTES = 4;

/** Payloads of IBFT 2.0: numbers of 8 and 4 bytes; the code is signed as one byte before them. */
export const payloads = new PayloadForm({
  preimage: (code, payload) => [Uint8Array.of(code), payload],
  roundIdToRlp: ({ height, round }) => [
    fixedBytes(height, HEIGHT_BYTES),
    fixedBytes(BigInt(round), ROUND_BYTES),
  ],
  readHeight: (fields) => BigInt(toHex(fields.fixed("height", HEIGHT_BYTES))),
  readRound: (fields) => BigInt(toHex(fields.fixed("round", ROUND_BYTES))),
});

/** Prepares and commits of IBFT 2.0. */
export const votes = new VoteCodec(payloads, codes);

function fixedBytes(value: bigint, bytes: number): Uint8Array {
  return hexToBytes(`0x${value.toString(16).padStart(2 * bytes, "0")}`);
}
