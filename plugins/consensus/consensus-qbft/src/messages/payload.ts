import { encodeRlp } from "@plinth/core";
import { scalarBytes } from "@plinth/core/blocks";
import { listPrefix, PayloadForm, VoteCodec } from "@plinth/kit-bft";
import { codes } from "./codes.js";

/** Payloads of QBFT: numbers without leading zeros; the code is signed as the first item of a list. */
export const payloads = new PayloadForm({
  preimage(code, payload) {
    const item = encodeRlp(scalarBytes(BigInt(code)));
    return [listPrefix(item.length + payload.length), item, payload];
  },
  roundIdToRlp: ({ height, round }) => [scalarBytes(height), scalarBytes(BigInt(round))],
  readHeight: (fields) => fields.uint64("height"),
  readRound: (fields) => fields.uint64("round"),
});

/** Prepares and commits of QBFT. */
export const votes = new VoteCodec(payloads, codes);
