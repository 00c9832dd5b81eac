export { type BaseFeeParent, baseFeeOn, nextBaseFee } from "./base-fee.js";
export {
  type BlobFeeParent,
  blobBaseFee,
  GAS_PER_BLOB,
  maxBlobGas,
  nextExcessBlobGas,
} from "./blob-fee.js";
export type { BlobChange, BlobRules, BlobSchedule, OwnCounts } from "./blob-schedule.js";
export { type ChainRules, type RequestContracts, USUAL_RULES } from "./chain-rules.js";
export { findHexNumber, findLooseNumber, findMember, findNumber } from "./config-values.js";
export { isDelegation } from "./delegation.js";
export { type ForkId, type ForkPoints, forkHashAt, forkIdAt, readForkPoints } from "./fork-id.js";
export { type ForkActivation, ForkSchedule, findForkKey, readForks, TIMED_FORKS } from "./forks.js";
export { floorGas, intrinsicGas, type Priced } from "./intrinsic-gas.js";
export { findMisspeltForks, type MisspeltFork } from "./misspelt-forks.js";
export { maxTransactionGas } from "./transaction-gas.js";
export { upfrontCost } from "./upfront-cost.js";
export { verifyBody, verifyBodyInTurns } from "./verify-body.js";
export { expectedGasLimit, type HeaderRules, verifyHeader } from "./verify-header.js";
export { type SenderContext, verifySender } from "./verify-sender.js";
export { HALF_ORDER, type TransactionRules, verifyTransaction } from "./verify-transaction.js";
