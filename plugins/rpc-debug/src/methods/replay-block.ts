import { type Call, method, RpcError, t } from "@plinth/core";
import { getTarget } from "../find.js";

/** `debug_replayBlock`: goes back before a block, runs it again and makes it the head. */
export const replayBlock = method({
  summary: "Goes back to the parent of a block, runs the block again and makes it the head.",
  params: { block: t.blockId },
  result: t.text,
  example: { params: ["0x1"], result: "Success" },
  async handle({ block }, call: Call) {
    const blocks = call.chain.blocks;
    const { number, hash, parentHash } = getTarget(blocks, block);
    if (number === 0n) throw RpcError.invalidParams("the first block was never run");
    await blocks.setHead(parentHash);
    // Throws, which is an internal error, and the head stays where it is.
    await blocks.rerun(hash);
    await blocks.setHead(hash);
    return "Success";
  },
});
