import { method, RpcError, type Runtime, t } from "@plinth/core";
import { productionOf } from "../production.js";

/** `miner_start`: makes blocks, again or still. */
export const start = method({
  summary: "Begins to make blocks; true when blocks are made afterwards.",
  result: t.boolean,
  example: { params: [], result: true },
  handle(_, runtime: Runtime) {
    const production = productionOf(runtime);
    const { mining } = runtime;
    if (mining.isChosen === true && mining.coinbase === undefined) {
      throw new RpcError(-32010, "Coinbase not set. Unable to start mining without a coinbase");
    }
    production.start();
    return production.isRunning;
  },
});
