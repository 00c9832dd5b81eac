import { type Call, method, RpcError, StorageError, t } from "@plinth/core";
import type { BlockWriter } from "@plinth/core/chain";

/** Number of blocks between two log lines. */
const BLOCKS_PER_LINE = 10_000n;

/** `debug_resyncWorldState`: rebuilds every state from the blocks. */
export const resyncWorldState = method({
  summary: "Starts rebuilding every state by re-executing all blocks.",
  params: {},
  result: t.text,
  example: { params: [], result: "Success" },
  handle(_, call: Call) {
    const { log, tasks, chain } = call;
    const rebuilt = rebuildStates(chain.writer);
    tasks.run("rebuild of states", async (signal) => {
      log.info("rebuilding every state of the chain");
      for await (const { number } of rebuilt) {
        if (signal.aborted) return;
        if (number % BLOCKS_PER_LINE === 0n) log.info(`rebuilt states up to block ${number}`);
      }
      log.info(`rebuilt every state, up to block ${chain.blocks.head().number}`);
    });
    return "Success";
  },
});

function rebuildStates(writer: BlockWriter) {
  try {
    return writer.rebuildStates();
  } catch (error) {
    // The layout of the database does not allow it.
    if (error instanceof StorageError) throw new RpcError(-32000, error.message);
    throw error;
  }
}
