import { type Call, method, RpcError, t } from "@plinth/core";
import { findHeader } from "@plinth/kit-rpc";

/** EIP-7928: error code for blocks before that fork, which have no such list. */
const BEFORE_AMSTERDAM = 4445;

/** `eth_getBlockAccessList`: the access list of a block; no supported fork has one yet. */
export const getBlockAccessList = method({
  summary: "Returns the access list of a block, which only blocks from Amsterdam on have.",
  params: { block: t.blockId },
  result: t.json,
  example: { params: ["0x9999999"], result: null },
  handle({ block }, call: Call) {
    if (findHeader(call.chain.blocks, block) === undefined) return null;
    throw new RpcError(BEFORE_AMSTERDAM, "Block access list not available before Amsterdam");
  },
});
