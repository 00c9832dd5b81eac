import { type Hash, method, type QueryCall, t } from "@plinth/core";
import { prepareTries } from "@plinth/kit-rpc";
import { blockHash } from "../params.js";
import { notTraceable } from "../trace/trace-block.js";

/** `debug_intermediateRoots`: the state root after each transaction of a block. */
export const intermediateRoots = method({
  offload: "long",
  summary: "Re-executes a block and returns the state root after each of its transactions.",
  params: { hash: blockHash },
  result: t.json,
  example: { params: [`0x${"ab".repeat(32)}`], result: [`0x${"cd".repeat(32)}`] },
  async handle({ hash }, call: QueryCall) {
    const blocks = call.chain.blocks;
    const block = blocks.findBlock(hash);
    if (block === undefined) return notTraceable(call.compatibility, `block ${hash} not found`);
    if (block.header.number === 0n) {
      return notTraceable(call.compatibility, "genesis is not traceable");
    }
    using replay = await blocks.replay(block);
    if (replay === undefined) return notTraceable(call.compatibility, "state not available");
    using _tries = await prepareTries(call, replay);
    const roots: Hash[] = [];
    while (replay.transaction !== undefined) {
      await replay.run();
      roots.push(blocks.rootOf(replay));
    }
    return roots;
  },
});
