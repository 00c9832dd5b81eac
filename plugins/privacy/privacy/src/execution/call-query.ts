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

/** A call of private code on the state after a block. */
export interface CallOrder {
  readonly blockHash: Hash;
  /** State root of the group. */
  readonly root: Hash;
  readonly group: Uint8Array;
  readonly from: Address;
  /** If omitted, `data` runs as creation code. */
  readonly to: Address | undefined;
  readonly data: Uint8Array;
  readonly gasPrice: bigint;
  /** Capped at the gas limit of a private transaction, which is also the default. */
  readonly gas: bigint | undefined;
  readonly rules: PrivateRules;
  readonly maxMs: number;
}

/** Result of a private call. */
export type CallResult = Pick<EvmResult, "outcome" | "returnValue">;

/** Executes a private call and discards its state changes. */
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
      if (header === undefined) throw new InvariantError(`unknown block ${blockHash}`);
      const state = states.open({ table, root, under: blocks.stateAt(header) });
      const nonce = state.own.findAccount(message.from)?.nonce ?? 0n;
      const contractAddress = privateContractAddress({ sender: message.from, nonce, group });
      const on = { blocks, header, state, rules, maxMs, contractAddress };
      const result = await runPrivateMessage({ ...message, nextNonce: nonce + 1n }, on);
      return { outcome: result.outcome, returnValue: result.returnValue };
    },
  });
