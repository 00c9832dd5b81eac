import { type Call, method, t } from "@plinth/core";

/** So many blocks between two lines of the log. */
const BLOCKS_PER_LINE = 10_000n;

/** `debug_resyncWorldState`: makes every state anew from the blocks, which stay. */
export const resyncWorldState = method({
  summary: "Begins to make every state anew by running all blocks again; the blocks stay.",
  params: {},
  result: t.text,
  example: { params: [], result: "Success" },
  handle(_, call: Call) {
    const { log, tasks } = call;
    const blocks = call.chain.blocks;
    tasks.run("states that are made anew", async (signal) => {
      log.info("the states of the chain are made anew");
      for await (const { number } of blocks.rebuildStates()) {
        if (signal.aborted) return;
        if (number % BLOCKS_PER_LINE === 0n) log.info(`states made anew up to block ${number}`);
      }
      log.info(`every state was made anew, up to block ${blocks.head().number}`);
    });
    return "Success";
  },
});
