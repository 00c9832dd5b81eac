export { findFlexibleMembers, getPrivacy, isMember, keyOf, verifyMember } from "./access.js";
export type { ExecutorStatus, GroupExecuted } from "./executor.js";
export { unlessRefused } from "./find-private-transaction.js";
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
export { FLEXIBLE_MARKER_ADDRESS, MARKER_ADDRESS, PAYLOAD_KEY_BYTES } from "./marker.js";
export { type MarkerPlace, OldStatesMissing, type PrivacyNode } from "./privacy-node.js";
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
} from "./private-transaction.js";
export { decodeRawTransaction, rawTransaction } from "./raw-transaction.js";
export type { GroupPlace, PrivateReceipt } from "./records.js";
export {
  behindError,
  enclaveError,
  privacyError,
  submissionError,
  undecodable,
} from "./rpc-errors.js";
export { type Privacy, privacy } from "./service.js";
export { LOST_PAYLOAD, UNKNOWN_GROUP } from "./unresolved.js";
export { countNotCompared, type Verified, type VerifiedGroup } from "./verify/verification.js";
