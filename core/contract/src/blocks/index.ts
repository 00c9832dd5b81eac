export { matchesHashes, type Opened, openNetworkForm, type Sidecar } from "./blob-sidecar.js";
export {
  type BodyRoots,
  blockFromRlp,
  blockToRlp,
  bodyFromRlp,
  bodyRootsInTurns,
  bodyToRlp,
  decodeBlock,
  decodeBody,
  decodeBodyInTurns,
  encodeBody,
  NO_UNCLES_HASH,
  openBlock,
  receiptsRoot,
  transactionsRoot,
  type UnreadBlock,
  unclesHash,
  withdrawalsRoot,
} from "./block.js";
export { blockSize, transactionSize } from "./block-size.js";
export { contractAddress } from "./contract-address.js";
export { effectiveGasPrice } from "./effective-gas-price.js";
export type { TransactionType } from "./envelope.js";
export { AccountOverflow, ExecutionFault } from "./errors.js";
export { Fields, hexBytes, scalarBytes } from "./fields.js";
export {
  bloomOfHeader,
  copyHeader,
  decodeHeader,
  encodeHeader,
  type HeaderChanges,
  headerFromRlp,
  headerToRlp,
  sealHeader,
} from "./header.js";
export { MAX_GAS_LIMIT, MAX_NONCE, MAX_UINT64, MAX_UINT256, MIN_GAS_LIMIT } from "./limits.js";
export {
  bloomOfLogs,
  decodeReceiptsInTurns,
  encodeReceipt,
  encodeReceipts,
  receiptFromRlp,
  receiptToRlp,
} from "./receipt.js";
export { SenderRecovery } from "./sender-recovery.js";
export {
  encodeSigned,
  encodeUnsigned,
  encodeZeroSigned,
  type SignatureValues,
  signAuthorization,
  signTransaction,
  type UnsignedTransaction,
} from "./sign-transaction.js";
export {
  decodeTransaction,
  findPublicKey,
  transactionFromRlp,
  transactionToRlp,
} from "./transaction.js";
export type { AccessListEntry, Authorization, TransactionFields } from "./transaction-fields.js";
export type { Withdrawal } from "./withdrawals.js";
