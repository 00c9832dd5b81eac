import { type Call, method, t } from "@plinth/core";
import { describeMiner } from "../describe-miner.js";
import { blockHash } from "../params.js";

/** `eth_getMinerDataByBlockHash`: what the maker of a block was paid, null when there is no block. */
export const getMinerDataByBlockHash = method({
  summary: "Tells what the maker of a block was paid, by its hash.",
  params: { hash: blockHash },
  result: t.json,
  example: { params: [`0x${"ab".repeat(32)}`], result: null },
  handle: ({ hash }, call: Call) => describeMiner(call.chain.blocks, hash, call.compatibility),
});
