import { method, type Runtime, t } from "@plinth/core";
import { productionOf } from "../production.js";

/** `miner_stop`: stops block production after the block in progress. */
export const stop = method({
  summary: "Stops block production; true if it was on before.",
  result: t.boolean,
  example: { params: [], result: true },
  async handle(_, runtime: Runtime) {
    const wasRunning = await productionOf(runtime).stop();
    return wasRunning && runtime.compatibility.mode !== "besu";
  },
});
