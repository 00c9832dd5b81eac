import { method, type QueryCall, stream, t } from "@plinth/core";
import { findBlock } from "@plinth/kit-rpc";
import { readWhileMade } from "@plinth/kit-trace";
import { CALL_TRACE } from "../examples.js";
import { ListWriter } from "../list-writer.js";
import { rewardTraces } from "../parts/reward-traces.js";
import { isTraceable, tracesOfBlock } from "../traced-block.js";

/** `trace_block`: the calls of a block, and its rewards. */
export const block = method({
  offload: "long",
  summary:
    "Returns the calls of every transaction of a block, and the rewards; null if the block is unknown.",
  params: { block: t.blockId },
  result: t.json,
  example: { params: ["latest"], result: [CALL_TRACE] },
  async handle({ block: id }, call: QueryCall) {
    const blocks = call.chain.blocks;
    const found = findBlock(blocks, id);
    if (found === undefined) return null;
    if (!isTraceable(blocks, found)) return [];
    const made = readWhileMade(async (sink) => {
      const list = new ListWriter(sink);
      for await (const traces of tracesOfBlock(blocks, found, call)) await list.add(traces);
      await list.add(rewardTraces(blocks, found));
      await list.end();
    }, call.client.closed);
    return stream(await made);
  },
});
