const ADDRESS = "0x6295ee1b4f6dd65047762f924ecd367c17eabf8f";
/** Every field of a block. */
export const BLOCK_FIELDS = `number hash parent{hash} nonce transactionsRoot transactionCount stateRoot receiptsRoot miner{address}
  extraData gasLimit gasUsed baseFeePerGas nextBaseFeePerGas timestamp logsBloom mixHash difficulty totalDifficulty
  ommerCount ommers{number hash transactionCount transactions{hash} ommers{hash} ommerCount totalDifficulty}
  ommerAt(index:1){hash} ommerHash logs(filter:{}){index} account(address:"${ADDRESS}"){balance}
  call(data:{to:"${ADDRESS}"}){data gasUsed status} estimateGas(data:{to:"0x0000000000000000000000000000000000000dad"})
  rawHeader raw withdrawalsRoot withdrawals{index validator address amount} blobGasUsed excessBlobGas`;
/** Every field of a transaction. */
export const TRANSACTION_FIELDS = `hash nonce index from{address balance} to{address code} value gasPrice maxFeePerGas
  maxPriorityFeePerGas maxFeePerBlobGas effectiveTip gas inputData status gasUsed cumulativeGasUsed effectiveGasPrice
  blobGasUsed blobGasPrice createdContract{address code} logs{index topics data account{address} transaction{hash}} r s v
  yParity type accessList{address storageKeys} raw rawReceipt blobVersionedHashes`;
