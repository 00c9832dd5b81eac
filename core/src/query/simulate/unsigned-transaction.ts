import { encodeEnvelope, type TransactionType } from "../../blocks/envelope.js";
import { hexBytes, scalarBytes } from "../../blocks/fields.js";
import { Transaction } from "../../blocks/transaction.js";
import type { Address } from "../../primitives/hex.js";
import type { Rlp } from "../../primitives/rlp.js";
import type { SimulatedCall } from "./plan.js";

const EMPTY = new Uint8Array();

/** What a call is as a transaction of a simulated block. */
export interface UnsignedPlace {
  readonly chainId: bigint;
  readonly from: Address;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
}

/** The transaction that a call stands for; its signature is all zeros. */
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
  const raw = encodeEnvelope(type, [...payloadOf(fields), EMPTY, EMPTY, EMPTY]);
  return new Transaction(fields, raw, from);
}

function typeOf(call: SimulatedCall): TransactionType {
  const { gasPrice, blobVersionedHashes = [], authorizationList = [] } = call;
  if (gasPrice !== undefined) return 0;
  if (authorizationList.length > 0) return 4;
  return blobVersionedHashes.length > 0 ? 3 : 2;
}

function payloadOf(
  fields: Pick<
    Transaction,
    | "type"
    | "chainId"
    | "nonce"
    | "gasPrice"
    | "maxPriorityFeePerGas"
    | "maxFeePerGas"
    | "gasLimit"
    | "to"
    | "value"
    | "data"
    | "accessList"
    | "maxFeePerBlobGas"
    | "blobVersionedHashes"
    | "authorizationList"
  >,
): Rlp[] {
  const number = (value: bigint | undefined) => scalarBytes(value ?? 0n);
  const target = fields.to === undefined ? EMPTY : hexBytes(fields.to);
  const middle = [number(fields.gasLimit), target, number(fields.value), fields.data];
  if (fields.type === 0) return [number(fields.nonce), number(fields.gasPrice), ...middle];
  const list = fields.accessList.map(({ address, storageKeys }) => [
    hexBytes(address),
    storageKeys.map((key) => hexBytes(key)),
  ]);
  const fees = [number(fields.maxPriorityFeePerGas), number(fields.maxFeePerGas)];
  const shared = [number(fields.chainId), number(fields.nonce), ...fees, ...middle, list];
  if (fields.type === 3) {
    const hashes = fields.blobVersionedHashes.map((hash) => hexBytes(hash));
    return [...shared, number(fields.maxFeePerBlobGas), hashes];
  }
  if (fields.type !== 4) return shared;
  const authorizations = fields.authorizationList.map((entry) => [
    number(entry.chainId),
    hexBytes(entry.address),
    number(entry.nonce),
    number(entry.yParity),
    number(entry.r),
    number(entry.s),
  ]);
  return [...shared, authorizations];
}
