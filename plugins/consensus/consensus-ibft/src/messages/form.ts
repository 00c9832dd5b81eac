import { hexToBytes, toHex } from "@plinth/core";
import { createMessageForm } from "@plinth/kit-bft";

const HEIGHT_BYTES = 8;
const ROUND_BYTES = 4;

/** Messages of `IBF/1`: numbers of 8 and 4 bytes; the code is signed as one byte before them. */
export const messages = createMessageForm(
  { proposal: 0, prepare: 1, commit: 2, roundChange: 3 },
  {
    preimage: (code, payload) => [Uint8Array.of(code), payload],
    roundIdToRlp: ({ height, round }) => [
      fixedBytes(height, HEIGHT_BYTES),
      fixedBytes(BigInt(round), ROUND_BYTES),
    ],
    readHeight: (fields) => BigInt(toHex(fields.fixed("height", HEIGHT_BYTES))),
    readRound: (fields) => BigInt(toHex(fields.fixed("round", ROUND_BYTES))),
  },
);
export const { codes, payloads, votes } = messages;

function fixedBytes(value: bigint, bytes: number): Uint8Array {
  return hexToBytes(`0x${value.toString(16).padStart(2 * bytes, "0")}`);
}
