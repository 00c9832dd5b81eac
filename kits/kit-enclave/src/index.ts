export { fromBase64, KEY_BYTES, keyFromBase64, toBase64 } from "./base64.js";
export {
  type DescribedGroup,
  EnclaveClient,
  type LostPayloads,
  type ReceivedPayload,
  type Recipients,
} from "./enclave-client.js";
export { type EnclaveLink, EnclaveUnreachable, type LinkAnswer } from "./enclave-link.js";
export { EnclaveError } from "./errors.js";
export { hashMembers, legacyGroupId } from "./group-id.js";
export { findText, findTexts, type JsonObject, readJson, readText } from "./json-body.js";
export { KnownFingerprints } from "./known-fingerprints.js";
export { isNotOffered, NotOffered } from "./not-offered.js";
export { restAfter } from "./rest-after.js";
export {
  MAX_STATE_BLOCKS,
  MAX_STATE_BYTES,
  type MemberAnswer,
  readStateAnswer,
  type StateAnswer,
  type StateOfBlock,
} from "./state-answer.js";
export { readStateQuestion, type StateQuestion } from "./state-question.js";
