import {
  type Compatibility,
  type SealedHeader,
  type Transaction,
  toHex,
  toQuantity,
} from "@plinth/core";
import { type Authorization, effectiveGasPrice } from "@plinth/core/blocks";
import { differencesOf } from "../differences.js";

/** The position of a transaction. */
export interface MinedAt {
  readonly header: SealedHeader;
  readonly index: number;
}

/** A transaction as callers see it; without a position while it is pending. */
export function transactionObject(
  transaction: Transaction,
  { at, compatibility }: { readonly at?: MinedAt; readonly compatibility: Compatibility },
) {
  const { type, chainId, accessList, maxFeePerGas, maxPriorityFeePerGas } = transaction;
  const { maxFeePerBlobGas, blobVersionedHashes } = transaction;
  const { showsBlockTimestamp, showsBlobV } = differencesOf(compatibility);
  const price = effectiveGasPrice(transaction, at?.header.baseFeePerGas);
  return {
    blockHash: at?.header.hash ?? null,
    blockNumber: at === undefined ? null : toQuantity(at.header.number),
    ...(at !== undefined && showsBlockTimestamp
      ? { blockTimestamp: toQuantity(at.header.timestamp) }
      : {}),
    ...(chainId === undefined ? {} : { chainId: toQuantity(chainId) }),
    from: transaction.sender,
    gas: toQuantity(transaction.gasLimit),
    gasPrice: toQuantity(price),
    ...(maxFeePerGas === undefined ? {} : { maxFeePerGas: toQuantity(maxFeePerGas) }),
    ...(maxPriorityFeePerGas === undefined
      ? {}
      : { maxPriorityFeePerGas: toQuantity(maxPriorityFeePerGas) }),
    hash: transaction.hash,
    input: toHex(transaction.data),
    nonce: toQuantity(transaction.nonce),
    to: transaction.to ?? null,
    transactionIndex: at === undefined ? null : toQuantity(at.index),
    type: toQuantity(type),
    value: toQuantity(transaction.value),
    ...(type === 0 ? {} : { accessList, yParity: toQuantity(transaction.yParity) }),
    ...(maxFeePerBlobGas === undefined
      ? {}
      : { maxFeePerBlobGas: toQuantity(maxFeePerBlobGas), blobVersionedHashes }),
    ...(type === 4
      ? { authorizationList: transaction.authorizationList.map(authorizationObject) }
      : {}),
    ...(type === 3 && !showsBlobV ? {} : { v: toQuantity(transaction.v) }),
    r: toQuantity(transaction.r),
    s: toQuantity(transaction.s),
  };
}

function authorizationObject({ chainId, address, nonce, yParity, r, s }: Authorization) {
  return {
    chainId: toQuantity(chainId),
    address,
    nonce: toQuantity(nonce),
    yParity: toQuantity(yParity),
    r: toQuantity(r),
    s: toQuantity(s),
  };
}
