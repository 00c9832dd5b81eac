import { method, type Runtime, t } from "@plinth/core";
import { productionOf } from "../production.js";

/** `miner_stop`: makes no more blocks after the one under way. */
export const stop = method({
  summary: "Stops making blocks; true when blocks were made until now.",
  result: t.boolean,
  example: { params: [], result: true },
  async handle(_, runtime: Runtime) {
    const wasRunning = await productionOf(runtime).stop();
    return wasRunning && runtime.compatibility.mode !== "besu";
  },
});
