export { decodeCborPayload, encodeCborPayload } from "./codec/cbor-codec.js";
export { type EncodedPayload, forRecipient } from "./codec/encoded-payload.js";
export { decodeLegacy, encodeLegacy } from "./codec/legacy-codec.js";
export { decodePartyInfo, encodePartyInfo } from "./codec/party-info.js";
export { createKeyPair, openKeyFile, writeKeyFile } from "./crypto/key-files.js";
export type { KeyPair } from "./crypto/key-pair.js";
export { hashOf, Sealer } from "./crypto/sealing.js";
export { loadSodium, type Sodium } from "./crypto/sodium.js";
export {
  decodeGroup,
  encodeGroup,
  groupIdOf,
  lookupIdOf,
  type PrivacyGroup,
} from "./groups/privacy-group.js";
export { HttpLink } from "./http/http-link.js";
export { HttpService } from "./http/http-service.js";
export { PeerTls, type TrustMode } from "./http/peer-tls.js";
export { Manager, type ManagerSettings } from "./manager.js";
export type { Caller } from "./peers/caller.js";
export { type PeerAnswer, type PeerLink, Unreachable } from "./peers/peer-link.js";
export { LocalLink } from "./routes/local-link.js";
export { nodeRoutes } from "./routes/node-api.js";
export { peerRoutes } from "./routes/peer-api.js";
export { type Enclave, enclave } from "./service.js";
