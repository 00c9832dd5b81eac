import { defineQuery, type Hash, InvariantError, type PluginTable } from "@plinth/core";
import { type FlatTrace, FlatTracer } from "@plinth/kit-trace";
import type { ExecutionOrder } from "./execute-query.js";
import { openGroupState } from "./open-group-state.js";
import { runItem } from "./run-item.js";

/** The private transactions of a group in a block, up to and including the traced one. */
export type TraceOrder = ExecutionOrder & { readonly marker: Hash };

/** Re-executes the private transactions of a group in a block, and traces the last one. */
export const traceQuery = (table: PluginTable) =>
  defineQuery({
    name: "privacy.trace",
    async run(order: TraceOrder, call): Promise<readonly FlatTrace[]> {
      const { blocks, chainId } = call.chain;
      const { blockHash, group, rules, maxMs, items } = order;
      const block = blocks.findBlock(blockHash);
      if (block === undefined) throw new InvariantError(`unknown block ${blockHash}`);
      using replay = await blocks.replay(block);
      if (replay === undefined) return [];
      const state = openGroupState(call, { table, root: order.root, under: replay.state }, rules);
      const on = { blocks, chainId, header: block.header, state, rules, group, maxMs };
      const tracer = new FlatTracer({
        state,
        compatibility: call.compatibility,
        namesCreationMethod: true,
      });
      for (const item of items) {
        await replay.runTo(item.index + 1);
        const traced = item.index === items.at(-1)?.index ? { tracer } : {};
        await runItem(item, { ...on, ...traced });
      }
      return tracer.traces();
    },
  });
