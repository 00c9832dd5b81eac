import { type Call, method, t } from "@plinth/core";
import { blockObject, findKeptBlock, shapes } from "@plinth/kit-rpc";
import { BLOCK_EXAMPLE } from "../examples.js";
import { verbose } from "../params.js";

/** `eth_getBlockByNumber`: a block of the canonical chain, null if there is none. */
export const getBlockByNumber = method({
  summary: "Returns a block by its number or tag.",
  params: { block: t.blockNumber, verbose },
  result: shapes.block,
  example: { params: ["latest", false], result: BLOCK_EXAMPLE },
  handle({ block, verbose }, call: Call) {
    const blocks = call.chain.blocks;
    const found = findKeptBlock(call, block);
    if (found === undefined) return null;
    const totalDifficulty = blocks.findTotalDifficulty(found.header.hash) ?? 0n;
    return blockObject(found, { totalDifficulty, verbose, compatibility: call.compatibility });
  },
});
