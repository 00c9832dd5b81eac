import { type Call, method, t } from "@plinth/core";
import { findKeptBlock, shapes } from "@plinth/kit-rpc";
import { blockHash, index } from "../params.js";
import { uncleAt } from "../uncle-at.js";

/** `eth_getUncleByBlockHashAndIndex`: an uncle of a block, null if there is none. */
export const getUncleByBlockHashAndIndex = method({
  summary: "Returns an uncle of a block, by the hash of the block.",
  params: { hash: blockHash, index: t.withText(index, "Invalid block index params") },
  result: shapes.block,
  example: { params: [`0x${"ab".repeat(32)}`, "0x0"], result: null },
  handle: ({ hash, index }, call: Call) =>
    uncleAt(findKeptBlock(call, hash), index, call.compatibility),
});
