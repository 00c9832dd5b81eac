/** Encoding of Tessera's privacy modes. */
export const PRIVACY_MODES = {
  standard: 0,
  partyProtection: 1,
  mandatoryRecipients: 2,
  privateStateValidation: 3,
} as const;

/** One of the privacy modes. */
export type PrivacyMode = (typeof PRIVACY_MODES)[keyof typeof PRIVACY_MODES];

/** Lengths of NaCl ciphertexts and nonces. */
export const NONCE_BYTES = 24;
export const TAG_BYTES = 16;
export const BOX_BYTES = 48;

/** An encrypted payload with its key, sealed for each recipient. */
export interface EncodedPayload {
  readonly senderKey: Uint8Array;
  readonly cipherText: Uint8Array;
  readonly cipherTextNonce: Uint8Array;
  /** The sealed keys, in the order of `recipientKeys`. */
  readonly recipientBoxes: readonly Uint8Array[];
  readonly recipientNonce: Uint8Array;
  readonly recipientKeys: readonly Uint8Array[];
  readonly privacyMode: PrivacyMode;
  /** Transaction hashes, each with a security hash. */
  readonly affected: readonly (readonly [Uint8Array, Uint8Array])[];
  readonly execHash?: Uint8Array;
  readonly mandatoryRecipients?: readonly Uint8Array[];
  readonly privacyGroupId?: Uint8Array;
}

/** The form sent to one recipient: only with its own box and key. */
export function forRecipient(payload: EncodedPayload, key: Uint8Array): EncodedPayload | undefined {
  const index = payload.recipientKeys.findIndex(
    (candidate) => Buffer.compare(candidate, key) === 0,
  );
  const box = payload.recipientBoxes[index];
  if (box === undefined) return undefined;
  return { ...payload, recipientBoxes: [box], recipientKeys: [key] };
}
