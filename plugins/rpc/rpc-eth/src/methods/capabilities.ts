import { type Call, method, t } from "@plinth/core";

/** The node keeps everything from the genesis block on. */
const EVERYTHING = { disabled: false, oldestBlock: "0x0" };

/** `eth_capabilities`: the parts of the chain history that the node serves. */
export const capabilities = method({
  summary: "Returns which parts of the chain the node has stored.",
  absentIn: "besu",
  result: t.json,
  example: {
    params: [],
    result: {
      head: { number: "0x0", hash: `0x${"ab".repeat(32)}` },
      state: EVERYTHING,
      tx: EVERYTHING,
      logs: EVERYTHING,
      receipts: EVERYTHING,
      blocks: EVERYTHING,
      stateproofs: EVERYTHING,
    },
  },
  handle(_, call: Call) {
    const { number, hash } = call.chain.blocks.head();
    return {
      head: { number: t.quantity.encode(number), hash },
      state: EVERYTHING,
      tx: EVERYTHING,
      logs: EVERYTHING,
      receipts: EVERYTHING,
      blocks: EVERYTHING,
      stateproofs: EVERYTHING,
    };
  },
});
