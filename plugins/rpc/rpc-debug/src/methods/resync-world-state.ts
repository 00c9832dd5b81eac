import { type Call, method, t } from "@plinth/core";

/** Number of blocks between two log lines. */
const BLOCKS_PER_LINE = 10_000n;

/** `debug_resyncWorldState`: rebuilds the states while the node runs. */
export const resyncWorldState = method({
  summary:
    "Starts rebuilding the states: every one by re-executing all blocks, or, with --data-storage-format=BONSAI, the tries of the head from its accounts and slots.",
  params: {},
  result: t.text,
  example: { params: [], result: "Success" },
  handle(_, { log, tasks, chain, signal }: Call) {
    const rebuilt = chain.writer.rebuildStates(signal);
    tasks.run("rebuild of states", async () => {
      log.info("rebuilding the states of the chain");
      let last = 0n;
      for await (const { number } of rebuilt) {
        if (number % BLOCKS_PER_LINE === 0n) log.info(`rebuilt states up to block ${number}`);
        last = number;
      }
      log.info(`rebuilt the states, up to block ${last}`);
    });
    return "Success";
  },
});
