import type { Address, Hash } from "@plinth/core";
import type { AccessListEntry, Authorization } from "@plinth/core/blocks";
import {
  EMPTY_CODE_HASH,
  type EvmTransaction,
  type Message,
  type RunContext,
} from "@plinth/core/evm";
import { floorGas, GAS_PER_BLOB, intrinsicGas } from "@plinth/core/rules";
import { authorize } from "./authorizations.js";
import { delegateOf } from "./delegation.js";
import { isEmpty, type Machine, type MachineResult } from "./interpreter/machine.js";
import type { Rules } from "./program/rules.js";
import type { Substate } from "./substate.js";

/** A transaction or a message, in executable form. */
export interface Envelope {
  readonly sender: Address;
  /** By default the sender's next one. */
  readonly nonce?: bigint;
  /** The sender may be a contract. */
  readonly isUnsigned: boolean;
  readonly to: Address | undefined;
  readonly data: Uint8Array;
  readonly value: bigint;
  readonly gasLimit: bigint;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly accessList: readonly AccessListEntry[];
  readonly authorizationList: readonly Authorization[];
  readonly blobVersionedHashes: readonly Hash[];
  readonly maxFeePerBlobGas: bigint;
}

/** A transaction whose sender has paid for its gas. */
export interface Prepared {
  /** The gas left for its code. */
  readonly gas: bigint;
  readonly gasPrice: bigint;
  /** Its minimum cost (EIP-7623). */
  readonly floor: bigint;
  /** Refund for authorizations (EIP-7702). */
  readonly refund: bigint;
}

interface TransactionContext {
  readonly on: RunContext;
  readonly rules: Rules;
  readonly substate: Substate;
  readonly chainId: bigint;
}

export function fromTransaction(transaction: EvmTransaction): Envelope {
  const { gasPrice = 0n, maxFeePerGas = gasPrice, maxPriorityFeePerGas = gasPrice } = transaction;
  const { sender, nonce, to, data, value, gasLimit, maxFeePerBlobGas = 0n } = transaction;
  const { accessList, authorizationList, blobVersionedHashes } = transaction;
  return {
    sender,
    nonce,
    isUnsigned: transaction.isUnsigned === true,
    to,
    data,
    value,
    gasLimit,
    maxFeePerGas,
    maxPriorityFeePerGas,
    accessList,
    authorizationList,
    blobVersionedHashes,
    maxFeePerBlobGas,
  };
}

/**
 * A message runs as a transaction of the latest type that the fork supports: unsupported fields are
 * omitted.
 */
export function fromMessage(message: Message, rules: Rules): Envelope {
  const { from, to, data, value, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = message;
  const { accessList = [], authorizationList = [], blobVersionedHashes = [] } = message;
  return {
    sender: from,
    isUnsigned: true,
    to,
    data,
    value,
    gasLimit,
    maxFeePerGas,
    maxPriorityFeePerGas: rules.hasBaseFee ? maxPriorityFeePerGas : maxFeePerGas,
    accessList: rules.hasColdAccess ? accessList : [],
    authorizationList: rules.hasDelegations ? authorizationList : [],
    blobVersionedHashes: rules.blobs !== undefined ? blobVersionedHashes : [],
    maxFeePerBlobGas: message.maxFeePerBlobGas ?? 0n,
  };
}

/**
 * Charges for the gas, increments the nonce and applies authorizations; throws if the transaction
 * is invalid.
 */
export function prepareTransaction(envelope: Envelope, context: TransactionContext): Prepared {
  const { on, substate, chainId, rules } = context;
  const { state, block } = on;
  const intrinsic = intrinsicGas(envelope, block.fork);
  const floor = floorGas(envelope, block.fork);
  verifyGas(envelope.gasLimit, intrinsic > floor ? intrinsic : floor);
  verifyPrices(envelope, context);
  verifySender(envelope, context);
  const { sender, gasLimit, authorizationList } = envelope;
  const gasPrice = priceOf(envelope, block.baseFeePerGas ?? 0n);
  const { nonce, balance } = state.findAccount(sender) ?? { nonce: 0n, balance: 0n };
  const cost = gasLimit * gasPrice + blobGasOf(envelope) * (block.blobBaseFee ?? 0n);
  state.setAccount(sender, { nonce: nonce + 1n, balance: balance - cost });
  if (rules.hasColdAccess) {
    substate.prewarm(sender);
    for (const entry of envelope.accessList) substate.announce(entry);
  }
  const refund = authorize(authorizationList, { state, substate, chainId });
  return { gas: gasLimit - intrinsic, gasPrice, floor, refund };
}

/** Marks what every transaction accesses (EIP-2929, EIP-3651). */
export function prewarm({ rules, substate, block, state }: Machine, to: Address | undefined): void {
  if (!rules.hasColdAccess) return;
  if (rules.warmsFeeRecipient) substate.prewarm(block.feeRecipient);
  if (to === undefined) return;
  substate.prewarm(to);
  const delegate = rules.hasDelegations ? delegateOf(state.getCode(to)) : undefined;
  if (delegate !== undefined) substate.prewarm(delegate);
}

/** Same for code that runs without a transaction. */
export function prewarmBare(
  { rules, substate }: Machine,
  from: Address,
  to: Address | undefined,
): void {
  if (!rules.hasColdAccess) return;
  substate.prewarm(from);
  if (to !== undefined) substate.prewarm(to);
}

/** Refunds unused gas and pays the fee recipient; returns the gas used. */
export function finishTransaction(
  { state, substate, rules, block }: Machine,
  {
    envelope,
    prepared,
    result,
  }: {
    readonly envelope: Envelope;
    readonly prepared: Prepared;
    readonly result: MachineResult;
  },
): { readonly gasUsed: bigint; readonly gasBeforeRefund: bigint } {
  const { sender, gasLimit } = envelope;
  const { gas, gasPrice, floor, refund } = prepared;
  const spent = gasLimit - gas + result.gasUsed;
  const most = spent / rules.refundQuotient;
  const earned = refund + BigInt(substate.refund);
  const net = spent - (earned < most ? earned : most);
  const gasUsed = net < floor ? floor : net;
  const balanceOf = (address: Address) => state.findAccount(address)?.balance ?? 0n;
  const unused = (gasLimit - gasUsed) * gasPrice;
  if (unused > 0n) state.setAccount(sender, { balance: balanceOf(sender) + unused });
  const { feeRecipient, baseFeePerGas = 0n } = block;
  const fee = gasUsed * (rules.hasBaseFee ? gasPrice - baseFeePerGas : gasPrice);
  if (fee > 0n || !rules.removesEmptyAccounts) {
    state.setAccount(feeRecipient, { balance: balanceOf(feeRecipient) + fee });
  }
  if (rules.removesEmptyAccounts) substate.touch(feeRecipient);
  return { gasUsed, gasBeforeRefund: spent > gasUsed ? spent : gasUsed };
}

/** Removes self-destructed accounts, and touched empty ones (EIP-161). */
export function cleanUp({ state, substate, rules }: Machine): void {
  for (const address of substate.destroyed) state.deleteAccount(address);
  if (!rules.removesEmptyAccounts) return;
  for (const address of substate.touched) {
    const account = state.findAccount(address);
    if (account !== undefined && isEmpty(account)) state.deleteAccount(address);
  }
}

function blobGasOf({ blobVersionedHashes }: Envelope): bigint {
  return BigInt(blobVersionedHashes.length) * GAS_PER_BLOB;
}

/** EIP-1559. */
function priceOf({ maxFeePerGas, maxPriorityFeePerGas }: Envelope, baseFee: bigint): bigint {
  const wanted = baseFee + maxPriorityFeePerGas;
  return wanted < maxFeePerGas ? wanted : maxFeePerGas;
}

function verifyGas(gasLimit: bigint, least: bigint): void {
  if (gasLimit < least) {
    throw new Error(`transaction.gasLimit: ${gasLimit}, expected at least ${least}`);
  }
}

function verifyPrices(envelope: Envelope, { on: { block } }: TransactionContext): void {
  const { baseFeePerGas = 0n, blobBaseFee = 0n } = block;
  const { maxFeePerGas, maxFeePerBlobGas, blobVersionedHashes } = envelope;
  if (maxFeePerGas < baseFeePerGas) {
    throw new Error(`transaction.maxFeePerGas: ${maxFeePerGas}, the base fee is ${baseFeePerGas}`);
  }
  if (blobVersionedHashes.length > 0 && maxFeePerBlobGas < blobBaseFee) {
    throw new Error(
      `transaction.maxFeePerBlobGas: ${maxFeePerBlobGas}, the blob base fee is ${blobBaseFee}`,
    );
  }
}

function verifySender(envelope: Envelope, { on: { state }, rules }: TransactionContext): void {
  const { sender, value, gasLimit, maxFeePerGas, maxFeePerBlobGas } = envelope;
  const account = state.findAccount(sender);
  const nonce = account?.nonce ?? 0n;
  const cost = value + gasLimit * maxFeePerGas + blobGasOf(envelope) * maxFeePerBlobGas;
  if ((account?.balance ?? 0n) < cost) {
    const has = account?.balance ?? 0n;
    throw new Error(`transaction.sender: has ${has} wei, the transaction may cost ${cost}`);
  }
  if (envelope.nonce !== undefined && envelope.nonce !== nonce) {
    throw new Error(`transaction.nonce: ${envelope.nonce}, expected ${nonce}`);
  }
  const isContract = (account?.codeHash ?? EMPTY_CODE_HASH) !== EMPTY_CODE_HASH;
  if (envelope.isUnsigned || !isContract) return;
  // EIP-3607; EIP-7702 allows senders with a delegation.
  const isDelegating = rules.hasDelegations && delegateOf(state.getCode(sender)) !== undefined;
  if (!isDelegating) throw new Error(`transaction.sender: ${sender} is a contract`);
}
