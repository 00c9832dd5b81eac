import { method, type QueryCall, t } from "@plinth/core";
import { findBlock, prepareTries } from "@plinth/kit-rpc";
import { DIFFERENCES } from "../differences.js";
import { takePage } from "../page.js";
import { limit, startKey, transactionIndex } from "../params.js";

/** `debug_storageRangeAt`: the storage of an account after a transaction of a block. */
export const storageRangeAt = method({
  offload: "long",
  summary: "Returns the storage of an account after a transaction of a block, from a key on.",
  params: {
    block: t.blockId,
    index: transactionIndex,
    address: t.address,
    start: startKey("Invalid data hash params"),
    limit: limit("Invalid transaction limit params"),
  },
  result: t.json,
  example: {
    params: ["latest", 0, "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73", `0x${"00".repeat(32)}`, 10],
    result: { storage: {}, nextKey: null },
  },
  async handle({ block: id, index, address, start, limit }, call: QueryCall) {
    const { showsNoNextKey } = DIFFERENCES[call.compatibility.mode];
    const nothing = { storage: {}, ...(showsNoNextKey ? { nextKey: null } : {}), complete: true };
    const blocks = call.chain.blocks;
    const block = findBlock(blocks, id);
    if (block === undefined) return nothing;
    using replay = await blocks.replay(block);
    if (replay === undefined) return nothing;
    const isInBlock = index >= 0 && index < block.body.transactions.length;
    if (isInBlock) await replay.runTo(index + 1);
    using _tries = await prepareTries(call, replay);
    const { page, next } = takePage(blocks.slotsIn(replay, { address, start }), limit);
    const storage = page.map(({ key, slot, value }) => {
      return [key, { key: slot ?? null, value: `0x${value.toString(16).padStart(64, "0")}` }];
    });
    const hasKey = next !== undefined || showsNoNextKey;
    return {
      storage: Object.fromEntries(storage),
      ...(hasKey ? { nextKey: next?.key ?? null } : {}),
      complete: next === undefined,
    };
  },
});
