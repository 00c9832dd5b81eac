import { isMainThread } from "node:worker_threads";
import {
  defineQuery,
  type Hash,
  InvariantError,
  type PluginTable,
  type QueryContext,
  type SealedBlock,
  type StateReader,
} from "@plinth/core";
import type { PrivateReceipt } from "../store/records.js";
import { openGroupState } from "./open-group-state.js";
import { type RunItem, runItem } from "./run-item.js";
import type { PrivateRules } from "./run-private-transaction.js";
import { ReplayNeeded, StateBeforeMarkers } from "./state-before-markers.js";

/** How long private code may take at a time where there are no threads. */
const MOST_ON_MAIN_MS = 2000;

/** The private transactions of one group in one block. */
export interface ExecutionOrder {
  readonly blockHash: Hash;
  readonly group: Uint8Array;
  /** The state of the group before the block. */
  readonly root: Hash;
  readonly items: readonly RunItem[];
  readonly rules: PrivateRules;
  readonly maxMs: number;
}

/** What came of them. */
export interface ExecutionResult {
  readonly root: Hash;
  /** In the order of the items. */
  readonly receipts: readonly PrivateReceipt[];
  /** The states of a flexible group after those that succeeded, in their order. */
  readonly roots: readonly Hash[];
  /** New entries of the state's table. */
  readonly entries: readonly (readonly [key: Uint8Array, value: Uint8Array])[];
}

/** The public state as it goes through a block. */
interface PublicState {
  readonly state: StateReader;
  /** Goes on to the place after so many transactions. */
  runTo(count: number): Promise<void>;
}

/**
 * Runs the private transactions of a group in a block, one after the other.
 *
 * Code sees the public state as it is at the place of the marker in the block. Where that can be other than before
 * the block, the block is run again up to there.
 */
export const executeQuery = (table: PluginTable) =>
  defineQuery({
    name: "privacy.execute",
    async run(order: ExecutionOrder, context): Promise<ExecutionResult> {
      const { root, items } = order;
      if (items.length === 0) return { root, receipts: [], roots: [], entries: [] };
      const { blocks } = context.chain;
      const block = blocks.findBlock(order.blockHash);
      if (block === undefined) throw new InvariantError(`there is no block ${order.blockHash}`);
      const count = (order.items.at(-1)?.index ?? -1) + 1;
      const before = StateBeforeMarkers.find(blocks, block, count);
      if (before !== undefined) {
        try {
          return await execute(order, {
            table,
            block,
            context,
            state: before,
            runTo: async () => {},
          });
        } catch (error) {
          if (!(error instanceof ReplayNeeded)) throw error;
        }
      }
      using replay = await blocks.replay(block);
      if (replay === undefined) {
        throw new InvariantError(`the state before block ${block.header.number} is not there`);
      }
      const { state } = replay;
      const runTo = (wanted: number) => replay.runTo(wanted);
      return await execute(order, { table, block, context, state, runTo });
    },
  });

async function execute(
  order: ExecutionOrder,
  on: PublicState & {
    readonly table: PluginTable;
    readonly block: SealedBlock;
    readonly context: QueryContext;
  },
): Promise<ExecutionResult> {
  const { table, block, context } = on;
  const { blocks, chainId } = context.chain;
  const { group, rules } = order;
  // Without threads everything else waits meanwhile.
  const maxMs = isMainThread ? Math.min(order.maxMs, MOST_ON_MAIN_MS) : order.maxMs;
  const state = openGroupState(context, { table, root: order.root, under: on.state }, rules);
  const run = { blocks, chainId, header: block.header, state, rules, group, maxMs };
  const receipts: PrivateReceipt[] = [];
  const roots: Hash[] = [];
  for (const item of order.items) {
    await on.runTo(item.index + 1);
    const receipt = await runItem(item, run);
    receipts.push(receipt);
    if (rules.isFlexible && receipt.status === 1) roots.push(state.update().root);
  }
  // The contracts of a group are there from the first transaction on that succeeds.
  if (rules.isFlexible && roots.length === 0)
    return { root: order.root, receipts, roots, entries: [] };
  const update = state.update();
  const entries: [Uint8Array, Uint8Array][] = [];
  const callbacks: (() => void)[] = [];
  update.writeTo({
    put: (_, key, value) => entries.push([key, value]),
    delete: () => {},
    onCommitted: (callback) => callbacks.push(callback),
  });
  // The main thread writes them before the next order of this group comes.
  for (const callback of callbacks) callback();
  return { root: update.root, receipts, roots, entries };
}
