export { fromBase64, KEY_BYTES, keyFromBase64, toBase64 } from "./base64.js";
export type { Caller } from "./caller.js";
export { decodeCborPayload, encodeCborPayload } from "./cbor-codec.js";
export { verifyContentType } from "./content-type.js";
export {
  type DescribedGroup,
  EnclaveClient,
  type LostPayloads,
  type ReceivedPayload,
  type Recipients,
} from "./enclave-client.js";
export { type EnclaveLink, EnclaveUnreachable, type LinkAnswer } from "./enclave-link.js";
export { type EncodedPayload, forRecipient, PRIVACY_MODES } from "./encoded-payload.js";
export { EnclaveError, MalformedBytes } from "./errors.js";
export { HttpLink } from "./http-link.js";
export { HttpService, type Route, type ServiceSettings } from "./http-service.js";
export {
  createKeyPair,
  KeyFileProblem,
  type LockSettings,
  openKeyFile,
  readPublicKey,
  USUAL_LOCK,
  writeKeyFile,
} from "./key-files.js";
export type { KeyPair } from "./key-pair.js";
export { KnownFingerprints } from "./known-fingerprints.js";
export { decodeLegacy, encodeLegacy } from "./legacy-codec.js";
export { LocalLink } from "./local-link.js";
export {
  Manager,
  type ManagerFigures,
  type ManagerSettings,
  type ManagerStatus,
  type Resent,
} from "./manager.js";
export { Moves } from "./moves.js";
export { nodeRoutes } from "./node-api.js";
export { NotOffered } from "./not-offered.js";
export { decodePartyInfo, encodePartyInfo, type PartyInfo, withSlash } from "./party-info.js";
export { peerRoutes } from "./peer-api.js";
export { type PeerAnswer, type PeerLink, Unreachable } from "./peer-link.js";
export { PeerTls, type PeerTlsSettings, TRUST_MODES, type TrustMode } from "./peer-tls.js";
export {
  decodeGroup,
  encodeGroup,
  groupIdOf,
  legacyGroupId,
  lookupIdOf,
  type PrivacyGroup,
} from "./privacy-group.js";
export type { RefusedDeletion } from "./refused-deletions.js";
export { restAfter } from "./rest-after.js";
export { hashOf, type RandomBytes, Sealer } from "./sealing.js";
export { loadSodium, type Sodium } from "./sodium.js";
export {
  MAX_STATE_BLOCKS,
  type MemberAnswer,
  type StateAnswer,
  type StateOfBlock,
} from "./state-answer.js";
export type { StateQuestion } from "./state-question.js";
export type { UnknownGroup } from "./unknown-groups.js";
