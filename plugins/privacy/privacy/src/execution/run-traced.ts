import { type Hash, InvariantError, type PluginTable, type QueryContext } from "@plinth/core";
import type { PluginState } from "@plinth/core/chain";
import type { Tracer } from "@plinth/core/evm";
import type { PrivateReceipt } from "../store/records.js";
import type { ExecutionOrder } from "./execute-query.js";
import { openGroupState } from "./open-group-state.js";
import { runItem } from "./run-item.js";

/** The private transactions of a group in a block, up to and including the traced one. */
export type TraceOrder = ExecutionOrder & { readonly marker: Hash };

/**
 * Re-executes the private transactions of a group in a block, the last one with a tracer, and
 * returns its receipt; `undefined` if the public state before the block is not kept.
 */
export async function runTraced(
  order: TraceOrder,
  { table, context }: { readonly table: PluginTable; readonly context: QueryContext },
  createTracer: (state: PluginState) => Tracer,
): Promise<PrivateReceipt | undefined> {
  const { blocks, chainId } = context.chain;
  const { blockHash, group, rules, maxMs, items } = order;
  const block = blocks.findBlock(blockHash);
  if (block === undefined) throw new InvariantError(`unknown block ${blockHash}`);
  using replay = await blocks.replay(block);
  if (replay === undefined) return undefined;
  const state = openGroupState(context, { table, root: order.root, under: replay.state }, rules);
  const on = { blocks, chainId, header: block.header, state, rules, group, maxMs };
  const tracer = createTracer(state);
  let receipt: PrivateReceipt | undefined;
  for (const item of items) {
    await replay.runTo(item.index + 1);
    const traced = item.index === items.at(-1)?.index ? { tracer } : {};
    receipt = await runItem(item, { ...on, ...traced });
  }
  return receipt;
}
