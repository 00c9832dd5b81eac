import { verifyOutput } from "@plinth/chain";
import type { Transaction } from "@plinth/core";
import { MAX_UINT64, MAX_UINT256 } from "@plinth/core/blocks";
import {
  type BlockContext,
  type Evm,
  type EvmResult,
  type MessageWatch,
  rulesOf,
  type WorldState,
} from "@plinth/core/evm";
import { floorGas, GAS_PER_BLOB, intrinsicGas } from "@plinth/core/rules";
import { SimulationProblem } from "./problem.js";

/** The context of a simulated call. */
export interface CallContext {
  readonly evm: Evm;
  readonly state: WorldState;
  readonly block: BlockContext;
  readonly watch: MessageWatch;
  /** Enforces all rules of a transaction, except for its signature. */
  readonly isValidated: boolean;
}

/** Executes an unsigned transaction; the state is changed as by a real one. */
export async function runSimulated(
  transaction: Transaction,
  context: CallContext,
): Promise<EvmResult> {
  const { evm, state, block, watch, isValidated } = context;
  const { sender: from, to, data, value, gasLimit } = transaction;
  const { accessList, authorizationList, blobVersionedHashes } = transaction;
  const fees = feesOf(transaction);
  verifyTip(transaction);
  if (isValidated) verifyNonce(transaction, state);
  verifyForm(transaction, block);
  const { baseFeePerGas = 0n, blobBaseFee = 0n } = block;
  const isFree = !isValidated && fees.maxFeePerGas === 0n;
  if (!isFree && fees.maxFeePerGas < baseFeePerGas) {
    const text = `max fee per gas less than block base fee: address ${from}, maxFeePerGas: ${fees.maxFeePerGas}, baseFee: ${baseFeePerGas}`;
    throw new SimulationProblem("base-fee", text);
  }
  const blobGas = BigInt(blobVersionedHashes.length) * GAS_PER_BLOB;
  const { maxFeePerBlobGas = 0n } = transaction;
  if (isValidated && blobGas > 0n && maxFeePerBlobGas < blobBaseFee) {
    const text = `max fee per blob gas less than block blob gas fee: address ${from}, maxFeePerBlobGas: ${maxFeePerBlobGas}, blobBaseFee: ${blobBaseFee}`;
    throw new SimulationProblem("base-fee", text);
  }
  const price = blobGas === 0n || maxFeePerBlobGas > blobBaseFee ? maxFeePerBlobGas : blobBaseFee;
  const cost = value + gasLimit * fees.maxFeePerGas + blobGas * price;
  verifyFunds(transaction, cost, state);
  // A free call still sees the base fee of its block; its cost is lent and taken back.
  const lent = isFree ? gasLimit * baseFeePerGas : 0n;
  if (cost + lent > MAX_UINT256) {
    const text = `gas * block base fee + value exceeds 256 bits: address ${from}, gas: ${gasLimit}, baseFee: ${baseFeePerGas}`;
    throw new SimulationProblem("base-fee", text);
  }
  const loan = loanFor(lent, from, state);
  changeBalance(state, from, loan);
  const nonce = state.findAccount(from)?.nonce ?? 0n;
  if (nonce === MAX_UINT64) state.setAccount(from, { nonce: 0n });
  const message = {
    from,
    ...(to === undefined ? {} : { to }),
    data,
    value,
    gasLimit,
    maxFeePerGas: isFree ? baseFeePerGas : fees.maxFeePerGas,
    maxPriorityFeePerGas: fees.maxPriorityFeePerGas,
    accessList,
    authorizationList,
    blobVersionedHashes,
    maxFeePerBlobGas: price,
  };
  const result = verifyOutput(await evm.runMessage(message, { block, state, watch }));
  changeBalance(state, from, isFree ? result.gasUsed * baseFeePerGas - loan : 0n);
  if (nonce === MAX_UINT64) state.setAccount(from, { nonce: 0n });
  return result;
}

function feesOf({ gasPrice = 0n, maxFeePerGas, maxPriorityFeePerGas = 0n }: Transaction) {
  if (maxFeePerGas === undefined) return { maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice };
  return { maxFeePerGas, maxPriorityFeePerGas };
}

function verifyTip({ sender, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n, type }: Transaction) {
  if (type < 2 || maxPriorityFeePerGas <= maxFeePerGas) return;
  const text = `max priority fee per gas higher than max fee per gas: address ${sender}, maxPriorityFeePerGas: ${maxPriorityFeePerGas}, maxFeePerGas: ${maxFeePerGas}`;
  throw new SimulationProblem("fees", text);
}

/**
 * The amount lent to a sender: the cost of all the gas, unless its balance would exceed 256 bits.
 */
function loanFor(cost: bigint, from: Transaction["sender"], state: WorldState): bigint {
  const room = MAX_UINT256 - (state.findAccount(from)?.balance ?? 0n);
  return cost < room ? cost : room;
}

function changeBalance(state: WorldState, address: Transaction["sender"], change: bigint): void {
  if (change === 0n) return;
  const balance = (state.findAccount(address)?.balance ?? 0n) + change;
  state.setAccount(address, { balance });
}

function verifyNonce({ sender, nonce }: Transaction, state: WorldState): void {
  const expected = state.findAccount(sender)?.nonce ?? 0n;
  const text = `address ${sender}, tx: ${nonce} state: ${expected}`;
  if (nonce < expected) throw new SimulationProblem("nonce-too-low", `nonce too low: ${text}`);
  if (nonce > expected) throw new SimulationProblem("nonce-too-high", `nonce too high: ${text}`);
  if (nonce === MAX_UINT64) {
    throw new SimulationProblem("nonce-overflow", `nonce has max value: address ${sender}`);
  }
}

function verifyForm(transaction: Transaction, { fork }: BlockContext): void {
  const { to, type, data, gasLimit } = transaction;
  if (to === undefined && type >= 3) {
    throw new SimulationProblem("type", "blobs and authorizations need an address to go to");
  }
  const intrinsic = intrinsicGas(transaction, fork);
  const floor = floorGas(transaction, fork);
  const least = intrinsic > floor ? intrinsic : floor;
  if (gasLimit < least) {
    const text = `intrinsic gas too low: have ${gasLimit}, want ${least}`;
    throw new SimulationProblem("intrinsic-gas", text);
  }
  const { maxInitCodeBytes } = rulesOf(fork);
  if (to === undefined && data.length > maxInitCodeBytes) {
    const text = `max initcode size exceeded: code size ${data.length} limit ${maxInitCodeBytes}`;
    throw new SimulationProblem("init-code", text);
  }
}

function verifyFunds({ sender }: Transaction, cost: bigint, state: WorldState): void {
  const balance = state.findAccount(sender)?.balance ?? 0n;
  if (balance >= cost) return;
  const text = `insufficient funds for gas * price + value: address ${sender} have ${balance} want ${cost}`;
  throw new SimulationProblem("funds", text);
}
