import { method, RpcError, type Runtime, t } from "@plinth/core";
import { productionOf } from "../production.js";

/** `miner_start`: starts block production. */
export const start = method({
  summary: "Starts block production; true if it is on afterwards.",
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
