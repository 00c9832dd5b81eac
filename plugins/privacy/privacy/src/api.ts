export type { ExecutorStatus, GroupExecuted } from "./execution/executor.js";
export { PROXY_ADDRESS } from "./flexible/contracts.js";
export { decodePayload } from "./flexible/decode-payload.js";
export {
  encodeAddition,
  encodeRemoval,
  PARTICIPANT_REMOVED,
  participantsOf,
  removedKey,
  SELECTORS,
} from "./flexible/participants.js";
export { unlessRefused } from "./markers/find-private-transaction.js";
export { FLEXIBLE_MARKER_ADDRESS, MARKER_ADDRESS, PAYLOAD_KEY_BYTES } from "./markers/marker.js";
export { LOST_PAYLOAD, UNKNOWN_GROUP } from "./markers/unresolved.js";
export { type MarkerPlace, OldStatesMissing, type PrivacyNode } from "./privacy-node.js";
export { findFlexibleMembers, getPrivacy, isMember, keyOf, verifyMember } from "./rpc/access.js";
export {
  behindError,
  enclaveError,
  privacyError,
  submissionError,
  undecodable,
} from "./rpc/rpc-errors.js";
export { type Privacy, privacy } from "./service.js";
export type { GroupPlace, PrivateReceipt } from "./store/records.js";
export {
  decodePrivateTransaction,
  encodePrivateTransaction,
  encodeSigningPayload,
  findPrivateSender,
  groupOf,
  groupOfParties,
  type PrivateTransaction,
  privateContractAddress,
  privateSigningHash,
  signPrivateTransaction,
  type UnsignedPrivateTransaction,
} from "./transaction/private-transaction.js";
export { decodeRawTransaction, rawTransaction } from "./transaction/raw-transaction.js";
export { countNotCompared, type Verified, type VerifiedGroup } from "./verify/verification.js";
