import type { SealedHeader } from "../blocks/header.js";
import { nextBaseFee } from "../chain/base-fee.js";
import type { Blockchain } from "../chain/blockchain.js";
import { intrinsicGas } from "../chain/intrinsic-gas.js";
import type { EvmResult } from "../evm/evm.js";
import { PlinthError } from "../kernel/errors.js";
import type { Address } from "../primitives/hex.js";

/** A call as a caller describes it; everything may be left out. */
export interface CallRequest {
  readonly from: Address | undefined;
  /** A contract is created when left out. */
  readonly to: Address | undefined;
  readonly data: Uint8Array;
  readonly value: bigint;
  readonly gas: bigint | undefined;
  readonly gasPrice: bigint | undefined;
  readonly maxFeePerGas: bigint | undefined;
  readonly maxPriorityFeePerGas: bigint | undefined;
  /** Enforces what a real transaction would need: fees and balance. */
  readonly strict: boolean;
}

/** Why a call could not even begin. */
export class ImpossibleCall extends PlinthError {
  readonly reason: "upfront-cost" | "fee-below-base-fee" | "intrinsic-gas";

  constructor(reason: ImpossibleCall["reason"], message: string) {
    super("CALL_IMPOSSIBLE", { message, reason });
    this.reason = reason;
  }
}

const NOBODY: Address = `0x${"00".repeat(20)}`;

/**
 * Runs a call on the state after a block, with that block's values.
 *
 * Without any fee the base fee reads as zero. Unless `strict`, the sender is given what the call costs.
 */
export async function simulateCall(
  blocks: Blockchain,
  request: CallRequest,
  { header, gasLimit }: { readonly header: SealedHeader; readonly gasLimit: bigint },
): Promise<EvmResult> {
  const { from = NOBODY, to, data, value, strict } = request;
  const priced = { data, to, accessList: [], authorizationList: [] };
  if (gasLimit < intrinsicGas(priced, blocks.forkAt(header))) {
    throw new ImpossibleCall("intrinsic-gas", "Intrinsic gas exceeds gas limit");
  }
  const baseFee = header.baseFeePerGas ?? 0n;
  const fees = feesOf(request, baseFee);
  if (fees.isPaid && fees.maxFeePerGas < leastFee(header)) {
    throw new ImpossibleCall("fee-below-base-fee", "Gas price below current base fee");
  }
  const cost = value + gasLimit * fees.maxFeePerGas;
  if (strict && (blocks.stateAt(header).findAccount(from)?.balance ?? 0n) < cost) {
    throw new ImpossibleCall("upfront-cost", "Upfront cost exceeds account balance");
  }
  const { maxPriorityFeePerGas } = fees;
  const isRaised = fees.isPaid && fees.maxFeePerGas < baseFee;
  const maxFeePerGas = isRaised ? baseFee : fees.maxFeePerGas;
  return blocks.call(
    {
      from,
      ...(to === undefined ? {} : { to }),
      data,
      value,
      gasLimit,
      maxFeePerGas,
      maxPriorityFeePerGas,
    },
    { header, funds: value + gasLimit * maxFeePerGas, isFree: !fees.isPaid },
  );
}

/** What the node suggests is enough for the next block; clients try it in a call before they send it. */
function leastFee(header: SealedHeader): bigint {
  const { baseFeePerGas = 0n } = header;
  const next = header.baseFeePerGas === undefined ? 0n : nextBaseFee(header);
  return next < baseFeePerGas ? next : baseFeePerGas;
}

function feesOf(
  { gasPrice, maxFeePerGas, maxPriorityFeePerGas, strict }: CallRequest,
  baseFee: bigint,
) {
  const given = maxFeePerGas ?? gasPrice ?? (strict ? baseFee : undefined);
  const isPaid = (given ?? 0n) > 0n;
  const fee = given ?? 0n;
  const tip = maxPriorityFeePerGas ?? (maxFeePerGas === undefined ? fee : 0n);
  return { isPaid, maxFeePerGas: fee, maxPriorityFeePerGas: tip < fee ? tip : fee };
}
