import { type Call, hexToBytes, method, t } from "@plinth/core";
import { getStateHeader } from "@plinth/kit-rpc";
import { position } from "../params.js";

const WORD_DIGITS = 64;

/** `eth_getStorageAt`: one word of a contract's storage. */
export const getStorageAt = method({
  summary: "Returns a word of the storage of a contract.",
  params: { address: t.address, position, block: t.optional(t.blockId) },
  result: t.data,
  example: {
    params: ["0x00000000000000000000000000000000000000b0", "0x0", "latest"],
    result: `0x${"00".repeat(32)}`,
  },
  handle({ address, position, block }, call: Call) {
    const blocks = call.chain.blocks;
    const word = blocks.stateAt(getStateHeader(call, block)).getStorage(address, position);
    return hexToBytes(word.toString(16).padStart(WORD_DIGITS, "0"));
  },
});
