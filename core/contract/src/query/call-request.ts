import type { Header } from "../blocks/header.js";
import type { AccessListEntry, Authorization } from "../blocks/transaction-fields.js";
import type { Address, Hash } from "../primitives/hex.js";

/** A call as a caller describes it; everything may be left out. */
export interface CallRequest {
  readonly from?: Address | undefined;
  /** A contract is created when left out. */
  readonly to?: Address | undefined;
  readonly data: Uint8Array;
  readonly value: bigint;
  readonly gas?: bigint | undefined;
  readonly gasPrice?: bigint | undefined;
  readonly maxFeePerGas?: bigint | undefined;
  readonly maxPriorityFeePerGas?: bigint | undefined;
  readonly maxFeePerBlobGas?: bigint | undefined;
  readonly blobVersionedHashes?: readonly Hash[] | undefined;
  readonly accessList?: readonly AccessListEntry[] | undefined;
  readonly authorizationList?: readonly Authorization[] | undefined;
  /** Enforces what a real transaction would need: fees and balance. */
  readonly strict?: boolean | undefined;
}

/** How calls are priced where clients expect different things. */
export interface CallRules {
  /** Gives the sender what a call costs that is not strict. */
  readonly raisesFunds: boolean;
  /** The least it is given then; what the call costs when left out. */
  readonly leastFunds?: bigint;
  /** Takes no notice of the fees of a call that is not strict. */
  readonly dropsFees: boolean;
  /** A call that names fees is strict unless it says otherwise. */
  readonly feesMakeStrict: boolean;
  /** A strict call without fees pays the base fee. */
  readonly strictPaysBaseFee: boolean;
}

/** The sender of a call that names none. */
export const ZERO_ADDRESS: Address = `0x${"00".repeat(20)}`;

/** Whether it names a fee that is not zero. */
export function namesFees(request: CallRequest): boolean {
  const { gasPrice = 0n, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = request;
  return gasPrice > 0n || maxFeePerGas > 0n || maxPriorityFeePerGas > 0n;
}

/**
 * The call as it runs to find out about its gas, which does not depend on what is paid for it.
 *
 * An offer below the base fee is then no reason to refuse, unless it is strict.
 */
export function forGas(
  request: CallRequest,
  { baseFeePerGas = 0n }: Pick<Header, "baseFeePerGas">,
): CallRequest {
  const { gasPrice, maxFeePerGas, strict = false } = request;
  if (strict) return request;
  const raise = (fee: bigint | undefined) =>
    fee !== undefined && fee > 0n && fee < baseFeePerGas ? baseFeePerGas : fee;
  return { ...request, strict, gasPrice: raise(gasPrice), maxFeePerGas: raise(maxFeePerGas) };
}
