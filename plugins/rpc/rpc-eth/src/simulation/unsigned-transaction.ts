import { type Address, Transaction } from "@plinth/core";
import { encodeZeroSigned } from "@plinth/core/blocks";
import type { SimulatedCall } from "./plan.js";
import { SimulationProblem } from "./problem.js";

/** A call as a transaction of a simulated block. */
export interface UnsignedPlace {
  readonly chainId: bigint;
  readonly from: Address;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
}

/** The transaction of a call; its signature is all zeros. */
export function toUnsignedTransaction(call: SimulatedCall, place: UnsignedPlace): Transaction {
  const { from, nonce, gasLimit } = place;
  const { to, value, data, accessList = [], gasPrice } = call;
  const { blobVersionedHashes = [], authorizationList = [] } = call;
  const type = typeOf(call);
  const hasFees = type >= 2;
  const fields = {
    type,
    chainId: type === 0 ? undefined : place.chainId,
    nonce,
    gasPrice: hasFees ? undefined : (gasPrice ?? 0n),
    maxPriorityFeePerGas: hasFees ? (call.maxPriorityFeePerGas ?? 0n) : undefined,
    maxFeePerGas: hasFees ? (call.maxFeePerGas ?? 0n) : undefined,
    gasLimit,
    to,
    value,
    data,
    accessList: type === 0 ? [] : accessList,
    maxFeePerBlobGas: type === 3 ? (call.maxFeePerBlobGas ?? 0n) : undefined,
    blobVersionedHashes: type === 3 ? blobVersionedHashes : [],
    authorizationList: type === 4 ? authorizationList : [],
    v: 0n,
    yParity: 0 as const,
    r: 0n,
    s: 0n,
  };
  const raw = encodeZeroSigned({
    ...fields,
    accessList: type === 0 ? undefined : accessList,
    blobVersionedHashes: type === 3 ? blobVersionedHashes : undefined,
    authorizationList: type === 4 ? authorizationList : undefined,
  });
  return new Transaction(fields, raw, from);
}

/** The type that a call names, or the one implied by its fields: legacy with a gas price. */
function typeOf(call: SimulatedCall): Transaction["type"] {
  const { type, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = call;
  const least = leastTypeOf(call);
  const hasFees = maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined;
  if (gasPrice !== undefined && hasFees) {
    const text = "both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified";
    throw new SimulationProblem("fees", text);
  }
  if (type === undefined) return gasPrice === undefined && least < 2 ? 2 : least;
  const isTooOld = type < least || (type < 2 && hasFees);
  if (!isTooOld && (type < 2 || gasPrice === undefined)) return type;
  throw new SimulationProblem("type", `a transaction of type ${type} has other fields`);
}

/** The oldest type that supports the lists of a call. */
function leastTypeOf(call: SimulatedCall): Transaction["type"] {
  const { accessList = [], blobVersionedHashes = [], authorizationList = [] } = call;
  if (authorizationList.length > 0) return 4;
  if (blobVersionedHashes.length > 0) return 3;
  return accessList.length > 0 ? 1 : 0;
}
