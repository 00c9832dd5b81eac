import { method, type QueryCall, t } from "@plinth/core";
import { findBlock } from "@plinth/kit-rpc";
import { REPLAY_RESULT } from "../examples.js";
import { replayBlock } from "../replay-results.js";
import { traceTypes } from "../trace-types.js";

/** `trace_replayBlockTransactions`: traces of the transactions of a block. */
export const replayBlockTransactions = method({
  offload: "long",
  summary:
    "Traces every transaction of a block: calls, state changes and instructions; null if the block is unknown.",
  params: { block: t.blockId, types: traceTypes },
  result: t.json,
  example: { params: ["latest", ["trace"]], result: [REPLAY_RESULT] },
  async handle({ block: id, types }, caller: QueryCall) {
    const blocks = caller.chain.blocks;
    const block = findBlock(blocks, id);
    if (block === undefined) return null;
    if (block.header.number === 0n) return [];
    return (await replayBlock(blocks, block, { types, caller })) ?? [];
  },
});
