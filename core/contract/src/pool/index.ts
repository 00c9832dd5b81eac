export type { RejectionReason } from "./errors.js";
export type { Departure, Explanation, Shortfall } from "./explanation.js";
export type { PoolHooks } from "./hooks.js";
export type { PriceFloor, SubmitSettings, TransactionOrigin } from "./pool.js";
export { type BlobProofVerifier, blobProofVerifiers } from "./proof-verifier.js";
