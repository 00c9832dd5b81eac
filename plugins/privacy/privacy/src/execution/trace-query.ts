import { defineQuery, type PluginTable } from "@plinth/core";
import { type FlatTrace, FlatTracer } from "@plinth/kit-trace";
import { runTraced, type TraceOrder } from "./run-traced.js";

/** Re-executes the private transactions of a group in a block, and traces the last one. */
export const traceQuery = (table: PluginTable) =>
  defineQuery({
    name: "privacy.trace",
    async run(order: TraceOrder, context): Promise<readonly FlatTrace[]> {
      const { compatibility } = context;
      let tracer: FlatTracer | undefined;
      await runTraced(order, { table, context }, (state) => {
        tracer = new FlatTracer({ state, compatibility, namesCreationMethod: true });
        return tracer;
      });
      return tracer?.traces() ?? [];
    },
  });
