import { type Call, method, t } from "@plinth/core";
import { describeMiner } from "../miner/describe-miner.js";
import { blockHash } from "../params.js";

/** `eth_getMinerDataByBlockHash`: the rewards of a block's miner, null if the block is unknown. */
export const getMinerDataByBlockHash = method({
  summary: "Returns the rewards of a block's miner, by the hash of the block.",
  params: { hash: blockHash },
  result: t.json,
  example: { params: [`0x${"ab".repeat(32)}`], result: null },
  handle: ({ hash }, call: Call) => describeMiner(call.chain.blocks, hash, call.compatibility),
});
