import type { Header } from "../blocks/header.js";
import type { AccessListEntry, Authorization } from "../blocks/transaction-fields.js";
import type { Address, Hash } from "../primitives/hex.js";

/** A call request; every field is optional. */
export interface CallRequest {
  readonly from?: Address | undefined;
  /** Creates a contract if omitted. */
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
  /** Enforces the requirements of a real transaction: fees and balance. */
  readonly strict?: boolean | undefined;
}

/** How calls are priced where clients have different expectations. */
export interface CallRules {
  /** Credits the sender of a non-strict call with its cost. */
  readonly raisesFunds: boolean;
  /** The minimum amount credited; the cost of the call by default. */
  readonly leastFunds?: bigint;
  /** Ignores the fees of a non-strict call. */
  readonly dropsFees: boolean;
  /** A call with fees is strict unless it states otherwise. */
  readonly feesMakeStrict: boolean;
  /** A strict call without fees pays the base fee. */
  readonly strictPaysBaseFee: boolean;
}

/** The default sender of a call. */
export const ZERO_ADDRESS: Address = `0x${"00".repeat(20)}`;

/** Whether it contains a non-zero fee. */
export function namesFees(request: CallRequest): boolean {
  const { gasPrice = 0n, maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = request;
  return gasPrice > 0n || maxFeePerGas > 0n || maxPriorityFeePerGas > 0n;
}

/**
 * The call as run for a gas estimate, which does not depend on the price.
 *
 * An offer below the base fee is then no reason to reject it, unless it is strict.
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
