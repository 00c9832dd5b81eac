import { KEY_BYTES } from "@plinth/kit-enclave";
import { FieldReader, FieldWriter } from "./binary.js";
import {
  BOX_BYTES,
  type EncodedPayload,
  NONCE_BYTES,
  PRIVACY_MODES,
  type PrivacyMode,
} from "./encoded-payload.js";
import { MalformedBytes } from "./errors.js";

/** Encodes a payload in the format that every version of Tessera reads. */
export function encodeLegacy(payload: EncodedPayload): Uint8Array {
  const { privacyMode, affected } = payload;
  const writer = new FieldWriter()
    .field(payload.senderKey)
    .field(payload.cipherText)
    .field(payload.cipherTextNonce)
    .list(payload.recipientBoxes)
    .field(payload.recipientNonce)
    .list(payload.recipientKeys)
    .field(Uint8Array.of(privacyMode))
    .count(affected.length);
  for (const [hash, securityHash] of affected) writer.field(hash).field(securityHash);
  if (privacyMode === PRIVACY_MODES.privateStateValidation) {
    writer.field(payload.execHash ?? new Uint8Array());
  }
  if (privacyMode === PRIVACY_MODES.mandatoryRecipients) {
    writer.list(payload.mandatoryRecipients ?? []);
  }
  if (payload.privacyGroupId !== undefined) writer.field(payload.privacyGroupId);
  return writer.finish();
}

/** Decodes a payload; older versions omit the trailing fields. */
export function decodeLegacy(bytes: Uint8Array): EncodedPayload {
  const reader = new FieldReader(bytes);
  const sealed = {
    senderKey: reader.fixed("senderKey", KEY_BYTES),
    cipherText: reader.field("cipherText"),
    cipherTextNonce: reader.fixed("cipherTextNonce", NONCE_BYTES),
    recipientBoxes: reader.list("recipientBoxes", BOX_BYTES),
    recipientNonce: reader.fixed("recipientNonce", NONCE_BYTES),
  };
  const recipientKeys = reader.isAtEnd ? [] : reader.list("recipientKeys", KEY_BYTES);
  const plain = { ...sealed, recipientKeys, privacyMode: PRIVACY_MODES.standard, affected: [] };
  return reader.isAtEnd ? plain : { ...plain, ...readMode(reader) };
}

function readMode(
  reader: FieldReader,
): Pick<
  EncodedPayload,
  "privacyMode" | "affected" | "execHash" | "mandatoryRecipients" | "privacyGroupId"
> {
  const privacyMode = readPrivacyMode(reader);
  const affected = Array.from(
    { length: reader.count("affected") },
    () => [reader.field("affected.hash"), reader.field("affected.securityHash")] as const,
  );
  const execHash =
    privacyMode === PRIVACY_MODES.privateStateValidation
      ? { execHash: reader.field("execHash") }
      : {};
  const mandatory =
    privacyMode === PRIVACY_MODES.mandatoryRecipients
      ? { mandatoryRecipients: reader.list("mandatoryRecipients", KEY_BYTES) }
      : {};
  const group = reader.isAtEnd ? {} : { privacyGroupId: reader.fixed("privacyGroupId", KEY_BYTES) };
  if (!reader.isAtEnd) throw new MalformedBytes("privacyGroupId: bytes are left behind it");
  return { privacyMode, affected, ...execHash, ...mandatory, ...group };
}

function readPrivacyMode(reader: FieldReader): PrivacyMode {
  const [mode] = reader.fixed("privacyMode", 1);
  return verifyPrivacyMode(mode);
}

/** Narrows a number to a privacy mode. */
export function verifyPrivacyMode(mode: unknown): PrivacyMode {
  const found = Object.values(PRIVACY_MODES).find((known) => known === mode);
  if (found !== undefined) return found;
  throw new MalformedBytes(`privacyMode: ${mode}, expected 0 to 3`);
}
