import { type Call, method, RpcError, t } from "@plinth/core";
import { getTarget } from "../find.js";

/**
 * `debug_replayBlock`: rewinds to the parent of a block, re-executes the block and makes it the
 * head.
 */
export const replayBlock = method({
  summary: "Rewinds to the parent of a block, re-executes the block and makes it the head.",
  params: { block: t.blockId },
  result: t.text,
  example: { params: ["0x1"], result: "Success" },
  async handle({ block }, call: Call) {
    const { blocks, writer } = call.chain;
    const { number, hash, parentHash } = getTarget(blocks, block);
    if (number === 0n) throw RpcError.invalidParams("the genesis block was never executed");
    await writer.setHead(parentHash);
    // Throws an internal error, and the head stays where it is.
    await writer.rerun(hash);
    await writer.setHead(hash);
    return "Success";
  },
});
