import type { BlockReader, SealedHeader } from "@plinth/core";
import { ZERO_ADDRESS } from "@plinth/core";
import { StateMissing } from "@plinth/core/chain";
import type { BlockContext, EvmResult } from "@plinth/core/evm";
import { type Fork, RunTooLarge, rulesOf } from "@plinth/core/evm";
import type { CallSettings } from "@plinth/core/query";
import { type CallRequest, type CallRules, ImpossibleCall, namesFees } from "@plinth/core/query";
import { floorGas, GAS_PER_BLOB, intrinsicGas, maxBlobGas, nextBaseFee } from "@plinth/core/rules";
import { overrideBlock } from "./block-overrides.js";
import { applyOverrides } from "./state-overrides.js";

/** The prices of gas and blob gas. */
interface Fees {
  readonly isPaid: boolean;
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly isBlobPaid: boolean;
  readonly maxFeePerBlobGas: bigint;
}

const MAX_COST = 2n ** 256n - 1n;
const MAX_OUTPUT_BYTES = 16 * 2 ** 20;

/**
 * Runs a call on the state after a block, with that block's values.
 *
 * Without any fee the base fee reads as zero.
 */
export async function simulateCall(
  blocks: BlockReader,
  request: CallRequest,
  settings: CallSettings,
): Promise<EvmResult> {
  const { header, gasLimit, rules, watch = {}, trace } = settings;
  const { from = ZERO_ADDRESS, to, data, value, accessList = [], authorizationList = [] } = request;
  const { evm, states, forks, contextOf } = blocks.simulation;
  const { blockOverrides, stateOverrides } = settings;
  const block = contextOf(header);
  const context =
    blockOverrides === undefined ? block : overrideBlock(block, blockOverrides, forks);
  const isStrict = request.strict ?? (rules.feesMakeStrict && isPricedAsStrict(request));
  const fees = feesOf(request, { rules, isStrict, baseFee: context.baseFeePerGas ?? 0n });
  verifyForm(request, { gasLimit, fork: context.fork });
  verifyFees(request, fees, { header, context });
  const blobs = request.blobVersionedHashes ?? [];
  const blobGas = blobs.length === 0 ? 0n : BigInt(blobs.length) * GAS_PER_BLOB;
  if (blobGas > 0n)
    verifyBlobs(blobGas, fees, { context, most: maxBlobGas(forks.blobsAt(context)) });
  const { maxFeePerGas, maxPriorityFeePerGas, maxFeePerBlobGas } = raiseTo(context, fees);
  const cost = value + gasLimit * maxFeePerGas + blobGas * maxFeePerBlobGas;
  const state = settings.state ?? states.open(header);
  if (trace !== undefined && state.isPartial && settings.state === undefined) {
    // What is missing is found without the tracer, which must not see guesses.
    const { trace: _, ...untraced } = settings;
    await simulateCall(blocks, request, untraced);
  }
  const run = () => {
    const movedPrecompiles = stateOverrides && applyOverrides(state, stateOverrides, context);
    const balance = state.findAccount(from)?.balance ?? 0n;
    if (balance < cost) {
      if (isStrict || !rules.raisesFunds || cost > MAX_COST) throw tooExpensive(cost, balance);
      const { leastFunds = 0n } = rules;
      state.setAccount(from, { balance: cost > leastFunds ? cost : leastFunds });
    }
    const message = {
      from,
      ...(to === undefined ? {} : { to }),
      data,
      value,
      gasLimit,
      maxFeePerGas,
      maxPriorityFeePerGas,
      accessList,
      authorizationList,
      blobVersionedHashes: blobs,
      maxFeePerBlobGas,
    };
    const on = {
      block: priced(context, fees),
      state,
      watch: movedPrecompiles === undefined ? watch : { ...watch, movedPrecompiles },
    };
    if (trace === undefined) return evm.runMessage(message, on);
    const tracer = trace.createTracer({ state, block: on.block, message });
    return trace.evm.runMessage(message, { ...on, ...trace.limits, tracer });
  };
  if (!state.isPartial || trace !== undefined) return verifyOutput(await run());
  try {
    return await state.findMissing(async () => verifyOutput(await run()));
  } catch (error) {
    if (!(error instanceof StateMissing)) throw error;
    throw new StateMissing(error.values, { from, to, data, value });
  }
}

/** Throws `RunTooLarge` for output above the response limit; as text it is twice as long. */
export function verifyOutput(result: EvmResult): EvmResult {
  if (result.returnValue.length > MAX_OUTPUT_BYTES) throw new RunTooLarge(MAX_OUTPUT_BYTES);
  return result;
}

/** A blob call without a blob price is not checked against prices. */
function isPricedAsStrict(request: CallRequest): boolean {
  const { blobVersionedHashes = [], maxFeePerBlobGas = 0n } = request;
  return namesFees(request) && (blobVersionedHashes.length === 0 || maxFeePerBlobGas > 0n);
}

function feesOf(
  request: CallRequest,
  { rules, isStrict, baseFee }: { rules: CallRules; isStrict: boolean; baseFee: bigint },
): Fees {
  const isFree = rules.dropsFees && !isStrict;
  const usual = isStrict && rules.strictPaysBaseFee ? baseFee : 0n;
  const given = isFree ? 0n : (request.maxFeePerGas ?? request.gasPrice ?? usual);
  const blobFee = isFree ? 0n : (request.maxFeePerBlobGas ?? 0n);
  const offered = request.maxFeePerGas === undefined ? given : (request.maxPriorityFeePerGas ?? 0n);
  return {
    isPaid: isStrict || given > 0n,
    maxFeePerGas: given,
    maxPriorityFeePerGas: offered < given ? offered : given,
    isBlobPaid: isStrict || blobFee > 0n,
    maxFeePerBlobGas: blobFee,
  };
}

function verifyForm(
  request: CallRequest,
  { gasLimit, fork }: { readonly gasLimit: bigint; readonly fork: Fork },
): void {
  const { to, data, accessList = [], authorizationList = [], blobVersionedHashes = [] } = request;
  const needsTarget = blobVersionedHashes.length > 0 || authorizationList.length > 0;
  if (to === undefined && needsTarget) {
    throw new ImpossibleCall("type", "blobs and authorizations need an address to go to");
  }
  const { maxInitCodeBytes } = rulesOf(fork);
  if (to === undefined && data.length > maxInitCodeBytes) {
    throw new ImpossibleCall(
      "init-code",
      `init code of ${data.length} bytes exceeds the maximum of ${maxInitCodeBytes}`,
    );
  }
  const intrinsic = intrinsicGas({ to, data, accessList, authorizationList }, fork);
  const floor = floorGas({ data }, fork);
  const least = intrinsic > floor ? intrinsic : floor;
  if (gasLimit < least) {
    throw new ImpossibleCall(
      "intrinsic-gas",
      `intrinsic gas cost ${least} exceeds gas limit ${gasLimit}`,
    );
  }
}

function verifyFees(
  { maxFeePerGas, maxPriorityFeePerGas = 0n }: CallRequest,
  fees: Fees,
  { header, context }: { readonly header: SealedHeader; readonly context: BlockContext },
): void {
  if (fees.isPaid && maxFeePerGas !== undefined && maxPriorityFeePerGas > maxFeePerGas) {
    throw new ImpossibleCall(
      "priority-above-max",
      "max priority fee per gas cannot be greater than max fee per gas",
    );
  }
  if (fees.isPaid && fees.maxFeePerGas < leastFee(header, context)) {
    throw new ImpossibleCall("fee-below-base-fee", "gasPrice is less than the current BaseFee");
  }
}

function verifyBlobs(
  blobGas: bigint,
  { isBlobPaid, maxFeePerBlobGas }: Fees,
  { context, most }: { readonly context: BlockContext; readonly most: bigint },
): void {
  if (blobGas > most) {
    throw new ImpossibleCall(
      "blob-gas",
      `total blob gas ${blobGas} exceeds max blob gas per block ${most}`,
    );
  }
  if (isBlobPaid && maxFeePerBlobGas < (context.blobBaseFee ?? 0n)) {
    throw new ImpossibleCall(
      "blob-fee-below-base-fee",
      "maxFeePerBlobGas is less than the current blob base fee",
    );
  }
}

function tooExpensive(cost: bigint, balance: bigint): ImpossibleCall {
  const [needed, has] = [cost, balance].map((amount) => `0x${amount.toString(16)}`);
  return new ImpossibleCall(
    "upfront-cost",
    `transaction up-front cost ${needed} exceeds transaction sender account balance ${has}`,
  );
}

/**
 * The node's suggestion is sufficient for the next block; clients try it in a call before they send
 * it.
 */
function leastFee(header: SealedHeader, { baseFeePerGas = 0n }: BlockContext): bigint {
  if (header.baseFeePerGas !== baseFeePerGas) return baseFeePerGas;
  const next = nextBaseFee(header);
  return next < baseFeePerGas ? next : baseFeePerGas;
}

function raiseTo({ baseFeePerGas = 0n }: BlockContext, fees: Fees): Fees {
  const isRaised = fees.isPaid && fees.maxFeePerGas < baseFeePerGas;
  return isRaised ? { ...fees, maxFeePerGas: baseFeePerGas } : fees;
}

/** Blocks without prices, as most calls see them. */
const freeBlocks = new WeakMap<BlockContext, BlockContext>();

function priced(context: BlockContext, { isPaid, isBlobPaid }: Fees): BlockContext {
  const known = isPaid || isBlobPaid ? undefined : freeBlocks.get(context);
  if (known !== undefined) return known;
  const isFree = !isPaid && context.baseFeePerGas !== undefined;
  const isBlobFree = !isBlobPaid && context.blobBaseFee !== undefined;
  const block = {
    ...context,
    ...(isFree ? { baseFeePerGas: 0n } : {}),
    ...(isBlobFree ? { blobBaseFee: 0n } : {}),
  };
  if (!isPaid && !isBlobPaid) freeBlocks.set(context, block);
  return block;
}
