import { type Call, method, t } from "@plinth/core";
import { encodeHeader } from "@plinth/core/blocks";
import { getBlock } from "../find.js";

/** `debug_getRawHeader`: the header of a block in its network encoding. */
export const getRawHeader = method({
  summary: "Returns the header of a block in RLP.",
  params: { block: t.blockId },
  result: t.data,
  example: { params: ["latest"], result: "0xc0" },
  handle: ({ block }, call: Call) => encodeHeader(getBlock(call.chain.blocks, block).header),
});
