import { type Call, type Logger, method, type SealedHeader, t } from "@plinth/core";

/** Number of blocks between two log lines. */
const BLOCKS_PER_LINE = 10_000n;

/** `debug_resyncWorldState`: rebuilds the states while the node runs. */
export const resyncWorldState = method({
  summary:
    "Starts rebuilding the states: every one by re-executing all blocks, or, with --data-storage-format=BONSAI, the tries of the head from its accounts and slots.",
  params: {},
  result: t.text,
  example: { params: [], result: "Success" },
  handle(_, { log, tasks, chain }: Call) {
    // The signal of the call aborts when its caller leaves; the rebuild ends with the plugin only.
    const rebuild = new AbortController();
    const rebuilt = chain.writer.rebuildStates(rebuild.signal);
    tasks.run("rebuild of states", async (signal) => {
      const stop = () => rebuild.abort(signal.reason);
      signal.addEventListener("abort", stop, { once: true });
      try {
        await report(rebuilt, log);
      } finally {
        signal.removeEventListener("abort", stop);
      }
    });
    return "Success";
  },
});

async function report(rebuilt: AsyncIterable<SealedHeader>, log: Logger): Promise<void> {
  log.info("rebuilding the states of the chain");
  let last = 0n;
  for await (const { number } of rebuilt) {
    if (number % BLOCKS_PER_LINE === 0n) log.info(`rebuilt states up to block ${number}`);
    last = number;
  }
  log.info(`rebuilt the states, up to block ${last}`);
}
