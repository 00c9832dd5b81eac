import { type Call, method, t } from "@plinth/core";
import { findHeader } from "@plinth/kit-rpc";
import { describeMiner } from "../miner/describe-miner.js";

/**
 * `eth_getMinerDataByBlockNumber`: the rewards of a block's miner, null if the block is unknown.
 */
export const getMinerDataByBlockNumber = method({
  summary: "Returns the rewards of a block's miner, by the number or tag of the block.",
  params: { block: t.blockNumber },
  result: t.json,
  example: { params: ["latest"], result: null },
  handle: ({ block }, call: Call) => {
    const blocks = call.chain.blocks;
    const header = findHeader(blocks, block);
    return header === undefined ? null : describeMiner(blocks, header.hash, call.compatibility);
  },
});
