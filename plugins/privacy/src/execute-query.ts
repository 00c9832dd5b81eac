import { defineQuery, type Hash, InvariantError, type PluginTable } from "@plinth/core";
import { decodePrivateTransaction } from "./private-transaction.js";
import type { PrivateReceipt } from "./records.js";
import { type PrivateRules, runPrivateTransaction } from "./run-private-transaction.js";

/** The private transactions of one group in one block. */
export interface ExecutionOrder {
  readonly blockHash: Hash;
  readonly group: Uint8Array;
  /** The state of the group before the block. */
  readonly root: Hash;
  readonly items: readonly { readonly index: number; readonly payload: Uint8Array }[];
  readonly rules: PrivateRules;
  readonly maxMs: number;
}

/** What came of them. */
export interface ExecutionResult {
  readonly root: Hash;
  /** In the order of the items. */
  readonly receipts: readonly PrivateReceipt[];
  /** New entries of the state's table. */
  readonly entries: readonly (readonly [key: Uint8Array, value: Uint8Array])[];
}

/**
 * Runs the private transactions of a group in a block, one after the other.
 *
 * Code sees the public state as it is at the place of the marker in the block, so that the block is run again up to there.
 */
export const executeQuery = (table: PluginTable) =>
  defineQuery({
    name: "privacy.execute",
    async run(order: ExecutionOrder, { chain, state: states }): Promise<ExecutionResult> {
      const { blocks, chainId } = chain;
      const { blockHash, group, rules, maxMs } = order;
      const block = blocks.findBlock(blockHash);
      if (block === undefined) throw new InvariantError(`there is no block ${blockHash}`);
      using replay = await blocks.replay(block);
      if (replay === undefined) {
        throw new InvariantError(`the state before block ${block.header.number} is not there`);
      }
      const state = states.open({ table, root: order.root, under: replay.state });
      const on = { blocks, chainId, header: block.header, state, rules, group, maxMs };
      const receipts: PrivateReceipt[] = [];
      for (const { index, payload } of order.items) {
        await replay.runTo(index + 1);
        receipts.push(await runPrivateTransaction(decodePrivateTransaction(payload), on));
      }
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
      return { root: update.root, receipts, entries };
    },
  });
