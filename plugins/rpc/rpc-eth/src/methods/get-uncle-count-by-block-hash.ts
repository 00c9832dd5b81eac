import { type Call, method, t } from "@plinth/core";
import { findKeptBlock } from "@plinth/kit-rpc";
import { blockHash } from "../params.js";

/** `eth_getUncleCountByBlockHash`: number of uncles of a block, null if there is none. */
export const getUncleCountByBlockHash = method({
  summary: "Returns the number of uncles of a block, by its hash.",
  params: { hash: blockHash },
  result: t.optional(t.quantity),
  example: { params: [`0x${"ab".repeat(32)}`], result: "0x0" },
  handle({ hash }, call: Call) {
    const block = findKeptBlock(call, hash);
    return block === undefined ? undefined : BigInt(block.body.uncles.length);
  },
});
