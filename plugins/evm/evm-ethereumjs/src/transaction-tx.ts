import type { Common } from "@ethereumjs/common";
import { createTx, type TypedTransaction, type TypedTxData } from "@ethereumjs/tx";
import { createAddressFromString } from "@ethereumjs/util";
import type { EvmTransaction } from "@plinth/core/evm";
import { toAuthorizations } from "./authorizations.js";

/** A transaction with a known sender in EthereumJS's form; the signature is omitted. */
export function createTransactionTx(transaction: EvmTransaction, rules: Common): TypedTransaction {
  const { type, nonce, gasLimit, to, value, data, sender } = transaction;
  const shared = {
    type,
    nonce,
    gasLimit,
    value,
    data,
    ...(to === undefined ? {} : { to: createAddressFromString(to) }),
    ...(type === 0 ? {} : { chainId: rules.chainId(), accessList: transaction.accessList }),
  };
  const tx = createTx({ ...shared, ...feesOf(transaction) } as TypedTxData, {
    common: rules,
    freeze: false,
  });
  // Recovering the sender again would be the largest cost of a transfer.
  const from = createAddressFromString(sender);
  tx.getSenderAddress = () => from;
  return tx;
}

function feesOf(transaction: EvmTransaction): object {
  const { type, gasPrice, maxFeePerGas, maxPriorityFeePerGas } = transaction;
  if (type < 2) return { gasPrice };
  const fees = { maxFeePerGas, maxPriorityFeePerGas };
  const { maxFeePerBlobGas, blobVersionedHashes, authorizationList } = transaction;
  if (type === 3) return { ...fees, maxFeePerBlobGas, blobVersionedHashes };
  if (type === 4) return { ...fees, authorizationList: toAuthorizations(authorizationList) };
  return fees;
}
