import { type Call, encodeBlock, method, t, toHex } from "@plinth/core";
import { blockObject } from "@plinth/kit-rpc";

/** `debug_getBadBlocks`: the blocks that were refused last. */
export const getBadBlocks = method({
  summary: "Returns the blocks that were refused since the start, the last hundred of them.",
  params: {},
  result: t.json,
  example: { params: [], result: [] },
  handle: (_, call: Call) =>
    call.chain.blocks.badBlocks().map(({ block }) => ({
      block: blockObject(block, {
        totalDifficulty: block.header.difficulty,
        verbose: true,
        compatibility: call.compatibility,
      }),
      hash: block.header.hash,
      rlp: toHex(encodeBlock(block)),
    })),
});
