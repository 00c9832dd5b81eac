import type { Address, BlockReader, Header } from "@plinth/core";
import type { PluginState } from "@plinth/core/chain";
import type { Tracer } from "@plinth/core/evm";
import type { PrivateReceipt } from "../store/records.js";
import {
  type PrivateTransaction,
  privateContractAddress,
} from "../transaction/private-transaction.js";
import { verifyPrivateTransaction } from "../transaction/verify-private-transaction.js";
import { SharedJournal } from "./shared-journal.js";

/** Rules on which all members of a group must agree; otherwise their states diverge. */
export interface PrivateRules {
  /** Whether failed transactions increment the sender's nonce, too. */
  readonly nonceAlwaysIncrements: boolean;
  /** Gas limit of a private transaction. */
  readonly gasLimit: bigint;
  /** Whether a failed frame reverts only its own changes. */
  readonly nestsFrames: boolean;
  /** Whether groups manage their members by contract. */
  readonly isFlexible: boolean;
}

/** Default gas limit of a private transaction. */
export const UNLIMITED_GAS = 2n ** 63n - 1n;

/** Context of private execution. */
export interface PrivateRun {
  readonly blocks: Pick<BlockReader, "run">;
  readonly header: Header;
  /** The state of the group, layered over the public state. */
  readonly state: PluginState;
  readonly rules: PrivateRules;
  readonly group: Uint8Array;
  readonly maxMs?: number;
  readonly tracer?: Tracer;
}

/**
 * Executes a private transaction on the state of its group; a failure leaves the state unchanged.
 */
export async function runPrivateTransaction(
  transaction: PrivateTransaction,
  on: PrivateRun & { readonly chainId: bigint | undefined },
): Promise<PrivateReceipt> {
  const { state, rules, group } = on;
  const nonceOf = (address: Address) => state.own.findAccount(address)?.nonce ?? 0n;
  const verified = verifyPrivateTransaction(transaction, {
    chainId: on.chainId,
    nonceOf,
    allowsFuture: false,
  });
  if ("problem" in verified) {
    if (verified.sender !== undefined) skipNonce(state, verified.sender, rules);
    return { ...failedReceipt(group, verified.problem), status: rules.isFlexible ? 2 : 0 };
  }
  const { sender } = verified;
  const { to, data, nonce } = transaction;
  state.checkpoint();
  const { outcome, returnValue, logs, halt } = await runPrivateMessage(
    { from: sender, to, data, gasPrice: transaction.gasPrice, nextNonce: nonce + 1n },
    { ...on, contractAddress: privateContractAddress({ sender, nonce, group }) },
  );
  if (outcome === "success") {
    state.commit();
    return { status: 1, logs, output: returnValue, group };
  }
  state.revert();
  skipNonce(state, sender, rules);
  if (outcome === "reverted")
    return { ...failedReceipt(group, "reverted"), revertReason: returnValue };
  return failedReceipt(group, halt ?? "halted");
}

/** Executes private code; the state is changed even on failure. */
export async function runPrivateMessage(
  message: {
    readonly from: Address;
    readonly to: Address | undefined;
    readonly data: Uint8Array;
    readonly gasPrice: bigint;
    /** The sender's nonce from now on, unless a failed frame reverts it. */
    readonly nextNonce?: bigint;
  },
  on: Omit<PrivateRun, "group"> & { readonly contractAddress?: Address },
) {
  const { blocks, header, rules, maxMs, tracer, contractAddress } = on;
  const { from, to, data, gasPrice, nextNonce } = message;
  const journal = rules.nestsFrames ? undefined : new SharedJournal(on.state);
  if (nextNonce !== undefined) on.state.own.setAccount(from, { nonce: nextNonce });
  const result = await blocks.run(
    {
      from,
      ...(to === undefined ? {} : { to }),
      data,
      value: 0n,
      gasLimit: rules.gasLimit,
      maxFeePerGas: gasPrice,
      maxPriorityFeePerGas: gasPrice,
    },
    {
      header,
      state: journal ?? on.state,
      bare: contractAddress === undefined ? {} : { contractAddress },
      ...(maxMs === undefined ? {} : { maxMs }),
      ...(tracer === undefined ? {} : { tracer }),
    },
  );
  journal?.close();
  return result;
}

function skipNonce(state: PluginState, sender: Address, rules: PrivateRules): void {
  if (!rules.nonceAlwaysIncrements) return;
  const nonce = state.own.findAccount(sender)?.nonce ?? 0n;
  state.own.setAccount(sender, { nonce: nonce + 1n });
}

/** The receipt of a private transaction that changed nothing. */
export function failedReceipt(group: Uint8Array, failure: string): PrivateReceipt {
  return { status: 0, logs: [], output: new Uint8Array(), failure, group };
}
