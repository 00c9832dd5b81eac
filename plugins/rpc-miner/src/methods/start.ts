import { method, type Runtime, t } from "@plinth/core";
import { productionOf } from "../production.js";

/** `miner_start`: makes blocks, again or still. */
export const start = method({
  summary: "Begins to make blocks; true when blocks are made afterwards.",
  result: t.boolean,
  handle(_, runtime: Runtime) {
    const production = productionOf(runtime);
    production.start();
    return production.isRunning;
  },
});
