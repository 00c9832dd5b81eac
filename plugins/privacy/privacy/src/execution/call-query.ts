import {
  type Address,
  defineQuery,
  type Hash,
  InvariantError,
  type PluginTable,
} from "@plinth/core";
import type { EvmResult } from "@plinth/core/evm";
import { privateContractAddress } from "../transaction/private-transaction.js";
import { type PrivateRules, runPrivateMessage } from "./run-private-transaction.js";

/** A call of private code, on the states after a block. */
export interface CallOrder {
  readonly blockHash: Hash;
  /** The state of the group. */
  readonly root: Hash;
  readonly group: Uint8Array;
  readonly from: Address;
  /** Creation code is run where it is left out. */
  readonly to: Address | undefined;
  readonly data: Uint8Array;
  readonly gasPrice: bigint;
  /** No more than a private transaction has; as much when left out. */
  readonly gas: bigint | undefined;
  readonly rules: PrivateRules;
  readonly maxMs: number;
}

/** What a call of private code came to. */
export type CallResult = Pick<EvmResult, "outcome" | "returnValue">;

/** Calls private code; nothing of it is kept. */
export const callQuery = (table: PluginTable) =>
  defineQuery({
    name: "privacy.call",
    async run(order: CallOrder, { chain, state: states }): Promise<CallResult> {
      const { blocks } = chain;
      const { blockHash, root, group, gas, maxMs, ...message } = order;
      const { gasLimit } = order.rules;
      const rules = {
        ...order.rules,
        gasLimit: gas !== undefined && gas < gasLimit ? gas : gasLimit,
      };
      const header = blocks.findHeader(blockHash);
      if (header === undefined) throw new InvariantError(`there is no block ${blockHash}`);
      const state = states.open({ table, root, under: blocks.stateAt(header) });
      const nonce = state.own.findAccount(message.from)?.nonce ?? 0n;
      const contractAddress = privateContractAddress({ sender: message.from, nonce, group });
      const on = { blocks, header, state, rules, maxMs, contractAddress };
      const result = await runPrivateMessage({ ...message, nextNonce: nonce + 1n }, on);
      return { outcome: result.outcome, returnValue: result.returnValue };
    },
  });
