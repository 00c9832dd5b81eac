import { type Call, method } from "@plinth/core";
import { blockObject, findKeptBlock, shapes } from "@plinth/kit-rpc";
import { blockHash, verbose } from "../params.js";

/** `eth_getBlockByHash`: any known block, null if there is none. */
export const getBlockByHash = method({
  summary: "Returns a block by its hash.",
  params: { hash: blockHash, verbose },
  result: shapes.block,
  example: { params: [`0x${"ab".repeat(32)}`, false], result: null },
  handle({ hash, verbose }, call: Call) {
    const blocks = call.chain.blocks;
    const found = findKeptBlock(call, hash);
    if (found === undefined) return null;
    const totalDifficulty = blocks.findTotalDifficulty(hash) ?? 0n;
    return blockObject(found, { totalDifficulty, verbose, compatibility: call.compatibility });
  },
});
