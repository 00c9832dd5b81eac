import { method, type QueryCall, t, ZERO_HASH } from "@plinth/core";
import { findBlock } from "@plinth/kit-rpc";
import { takePage } from "../page.js";
import { limit, startKey } from "../params.js";

const NO_ADDRESS = `0x${"00".repeat(20)}`;

/** `debug_accountRange`: the accounts after a block, in the order of their hashes. */
export const accountRange = method({
  offload: "long",
  summary: "Returns accounts after a block by the hashes of their addresses, from a key on.",
  params: {
    block: t.blockId,
    // Ignored, as by Besu, which reads the state after the block.
    index: t.json,
    start: startKey("Invalid address hash params"),
    limit: limit("Invalid max results params"),
  },
  result: t.json,
  example: {
    params: ["latest", 0, `0x${"00".repeat(32)}`, 10],
    result: { addressMap: {}, nextKey: "0x" },
  },
  handle({ block: id, start, limit }, call: QueryCall) {
    const blocks = call.chain.blocks;
    const block = findBlock(blocks, id);
    if (block === undefined || !blocks.hasState(block.header)) return { addressMap: {} };
    const { page, next } = takePage(blocks.accountsFrom(block.header, start), limit);
    return {
      addressMap: Object.fromEntries(page.map(({ key, address }) => [key, address ?? NO_ADDRESS])),
      nextKey: next?.key ?? ZERO_HASH,
    };
  },
});
