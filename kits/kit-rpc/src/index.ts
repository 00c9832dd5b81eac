export { authorization } from "./authorization.js";
export {
  findBlock,
  findHeader,
  findKeptBlock,
  getHeader,
  getStateHeader,
  prepareTries,
} from "./blocks.js";
export {
  type Bundle,
  type BundleContext,
  bundleContext,
  bundles,
  callsOf,
  openBundleState,
  verifyNoMoves,
} from "./bundles.js";
export { callRequest, requestFields } from "./call-request.js";
export { differencesOf, lendingRulesOf, type SharedDifferences } from "./differences.js";
export {
  type ErrorStyle,
  failureOf,
  isHalt,
  missingFunds,
  revertReason,
  toRpcError,
} from "./failure.js";
export { findBySenderAndNonce, type SentTransaction } from "./find-by-sender-and-nonce.js";
export { gasOfCall, gasOfTransaction } from "./gas-cap.js";
export {
  type GasPriceSettings,
  type PriceBounds,
  type PriceSample,
  suggestGasPrice,
  suggestPriorityFee,
  withinBounds,
} from "./gas-price.js";
export { haltText } from "./halt-text.js";
export { BlockLogs, type LogSource } from "./logs/block-logs.js";
export { LogMatcher } from "./logs/log-matcher.js";
export { type LogQuery, logQuery, MAX_LOG_VALUES } from "./logs/log-query.js";
export type { FoundLog, PlacedLog } from "./logs/placed-log.js";
export { EncodedLog, findEncodedLogs, TOPIC_DISTANCE } from "./logs/receipt-logs.js";
export { type LogPieces, searchLogs, searchRange } from "./logs/search-logs.js";
export { blockObject } from "./objects/block.js";
export { headerObject } from "./objects/header.js";
export { logObject } from "./objects/log.js";
export { pendingObject } from "./objects/pending-transaction.js";
export { type BlockReceipts, receiptObject, receiptObjects } from "./objects/receipt.js";
export { shapes } from "./objects/shapes.js";
export { type MinedAt, transactionObject } from "./objects/transaction.js";
export { blockOverrideFields, blockOverrides, stateOverrides } from "./overrides.js";
export { printable } from "./printable.js";
export { rejectionOf } from "./rejection.js";
export { describeRevert, findRevertReason } from "./revert-reason.js";
export { syncState } from "./sync-state.js";
