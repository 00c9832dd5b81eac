import { effectiveGasPrice } from "../../blocks/effective-gas-price.js";
import type { SealedHeader } from "../../blocks/header.js";
import type { Transaction } from "../../blocks/transaction.js";
import { toHex } from "../../primitives/hex.js";
import { toQuantity } from "./quantity.js";

/** Where a transaction stands; `undefined` while it waits. */
export interface MinedAt {
  readonly header: SealedHeader;
  readonly index: number;
}

/** A transaction as callers see it. */
export function transactionObject(transaction: Transaction, at?: MinedAt) {
  const { type, chainId, accessList, maxFeePerGas, maxPriorityFeePerGas } = transaction;
  const price = effectiveGasPrice(transaction, at?.header.baseFeePerGas);
  return {
    blockHash: at?.header.hash ?? null,
    blockNumber: at === undefined ? null : toQuantity(at.header.number),
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
    v: toQuantity(transaction.v),
    r: toQuantity(transaction.r),
    s: toQuantity(transaction.s),
  };
}
