import { type Call, encodeBlock, method, t, toHex } from "@plinth/core";
import { blockObject } from "@plinth/kit-rpc";

/** `debug_getBadBlocks`: the most recently rejected blocks. */
export const getBadBlocks = method({
  summary: "Returns the last hundred blocks that were rejected since the start.",
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
