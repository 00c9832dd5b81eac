import type { Common } from "@ethereumjs/common";
import { createTx, type TypedTransaction, type TypedTxData } from "@ethereumjs/tx";
import { createAddressFromString } from "@ethereumjs/util";
import type { Message } from "@plinth/core/evm";
import { toAuthorizations } from "./authorizations.js";

/** A message as a transaction, of the latest type that the rules support and it needs. */
export function createMessageTx(
  message: Message,
  {
    rules,
    nonce,
    chainId,
  }: { readonly rules: Common; readonly nonce: bigint; readonly chainId: bigint },
): TypedTransaction {
  const { from, to, data, value, gasLimit } = message;
  const shared = {
    data,
    value,
    gasLimit,
    nonce,
    ...(to === undefined ? {} : { to: createAddressFromString(to) }),
  };
  const tx = createTx({ ...shared, ...typeOf(message, rules, chainId) } as TypedTxData, {
    common: rules,
    freeze: false,
  });
  const sender = createAddressFromString(from);
  tx.getSenderAddress = () => sender;
  return tx;
}

function typeOf(message: Message, rules: Common, chainId: bigint): TypedTxData {
  const { accessList = [], blobVersionedHashes = [], authorizationList = [] } = message;
  const { maxFeePerGas, maxPriorityFeePerGas, maxFeePerBlobGas = 0n } = message;
  if (!rules.isActivatedEIP(1559)) {
    const isListed = accessList.length > 0 && rules.isActivatedEIP(2930);
    const priced = { gasPrice: maxFeePerGas };
    return (isListed ? { type: 1, chainId, accessList, ...priced } : priced) as TypedTxData;
  }
  const fees = { chainId, accessList, maxFeePerGas, maxPriorityFeePerGas };
  if (authorizationList.length > 0) {
    const list = toAuthorizations(authorizationList);
    return { type: 4, ...fees, authorizationList: list } as TypedTxData;
  }
  if (blobVersionedHashes.length > 0) {
    return { type: 3, ...fees, maxFeePerBlobGas, blobVersionedHashes } as TypedTxData;
  }
  return { type: 2, ...fees } as TypedTxData;
}
