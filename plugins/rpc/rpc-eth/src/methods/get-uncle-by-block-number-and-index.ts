import { type Call, method, t } from "@plinth/core";
import { findKeptBlock, shapes } from "@plinth/kit-rpc";
import { index } from "../params.js";
import { uncleAt } from "../uncle-at.js";

/** `eth_getUncleByBlockNumberAndIndex`: an uncle of a block, null if there is none. */
export const getUncleByBlockNumberAndIndex = method({
  summary: "Returns an uncle of a block, by the number or tag of the block.",
  params: { block: t.blockNumber, index: t.withText(index, "Invalid block index params") },
  result: shapes.block,
  example: { params: ["latest", "0x0"], result: null },
  handle: ({ block, index }, call: Call) =>
    uncleAt(findKeptBlock(call, block), index, call.compatibility),
});
