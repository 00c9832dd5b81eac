export { baseFeeOn, nextBaseFee } from "./base-fee.js";
export { blobBaseFee, GAS_PER_BLOB, maxBlobGas, nextExcessBlobGas } from "./blob-fee.js";
export type { BlobRules } from "./blob-schedule.js";
export { type RequestContracts, USUAL_RULES } from "./chain-rules.js";
export { findHexNumber, findLooseNumber, findMember, findNumber } from "./config-values.js";
export { isDelegation } from "./delegation.js";
export { type ForkId, type ForkPoints, forkHashAt, forkIdAt, readForkPoints } from "./fork-id.js";
export { ForkSchedule, findForkKey, readForks } from "./forks.js";
export { floorGas, intrinsicGas } from "./intrinsic-gas.js";
export { findMisspeltForks } from "./misspelt-forks.js";
export { maxTransactionGas } from "./transaction-gas.js";
export { upfrontCost } from "./upfront-cost.js";
export { verifyBody, verifyBodyInTurns } from "./verify-body.js";
export { expectedGasLimit, type HeaderRules, verifyHeader } from "./verify-header.js";
export { verifySender } from "./verify-sender.js";
export {
  HALF_ORDER,
  MAX_BLOBS,
  MAX_INIT_CODE_BYTES,
  type TransactionRules,
  typesUnder,
  verifyTransaction,
} from "./verify-transaction.js";
