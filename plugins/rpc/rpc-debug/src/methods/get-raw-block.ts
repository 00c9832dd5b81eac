import { type Call, encodeBlock, method, t } from "@plinth/core";
import { getBlock } from "../find.js";

/** `debug_getRawBlock`: a block in its network encoding. */
export const getRawBlock = method({
  summary: "Returns a block in RLP.",
  params: { block: t.blockId },
  result: t.data,
  example: { params: ["latest"], result: "0xc0" },
  handle: ({ block }, call: Call) => encodeBlock(getBlock(call.chain.blocks, block)),
});
