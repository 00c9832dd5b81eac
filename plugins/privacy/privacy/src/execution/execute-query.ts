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

/** Time limit for private code if there are no worker threads. */
const MOST_ON_MAIN_MS = 2000;

/** The private transactions of one group in one block. */
export interface ExecutionOrder {
  readonly blockHash: Hash;
  readonly group: Uint8Array;
  /** State root of the group before the block. */
  readonly root: Hash;
  readonly items: readonly RunItem[];
  readonly rules: PrivateRules;
  readonly maxMs: number;
}

/** Result of executing a block of a group. */
export interface ExecutionResult {
  readonly root: Hash;
  /** Receipts, in the order of the items. */
  readonly receipts: readonly PrivateReceipt[];
  /** State roots of a flexible group after each successful transaction, in order. */
  readonly roots: readonly Hash[];
  /** New entries of the state table. */
  readonly entries: readonly (readonly [key: Uint8Array, value: Uint8Array])[];
}

/** The public state at successive positions within a block. */
interface PublicState {
  readonly state: StateReader;
  /** Advances to the state after the given number of transactions. */
  runTo(count: number): Promise<void>;
}

/**
 * Executes the private transactions of a group in a block, in order.
 *
 * Private code sees the public state at the position of its marker in the block. If that state can differ from the
 * state before the block, the block is re-executed up to that position.
 */
export const executeQuery = (table: PluginTable) =>
  defineQuery({
    name: "privacy.execute",
    async run(order: ExecutionOrder, context): Promise<ExecutionResult> {
      const { root, items } = order;
      if (items.length === 0) return { root, receipts: [], roots: [], entries: [] };
      const { blocks } = context.chain;
      const block = blocks.findBlock(order.blockHash);
      if (block === undefined) throw new InvariantError(`unknown block ${order.blockHash}`);
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
        throw new InvariantError(`the state before block ${block.header.number} is missing`);
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
  // Without worker threads this blocks everything else.
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
  // The contracts of a group exist from its first successful transaction on.
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
  // The main thread writes them before the next order of this group arrives.
  for (const callback of callbacks) callback();
  return { root: update.root, receipts, roots, entries };
}
