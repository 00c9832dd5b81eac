import { encodeRlp } from "@plinth/core";
import { scalarBytes } from "@plinth/core/blocks";
import { createMessageForm, listPrefix } from "@plinth/kit-bft";

/**
 * Messages of `istanbul/100`: numbers without leading zeros; the code is signed as the first item
 * of a list.
 */
export const messages = createMessageForm(
  // Lower codes are reserved.
  { proposal: 0x12, prepare: 0x13, commit: 0x14, roundChange: 0x15 },
  {
    preimage(code, payload) {
      const item = encodeRlp(scalarBytes(BigInt(code)));
      return [listPrefix(item.length + payload.length), item, payload];
    },
    roundIdToRlp: ({ height, round }) => [scalarBytes(height), scalarBytes(BigInt(round))],
    readHeight: (fields) => fields.uint64("height"),
    readRound: (fields) => fields.uint64("round"),
  },
);
export const { codes, payloads, votes } = messages;
