import { EnclaveError } from "@plinth/kit-enclave";
import { type EncodedPayload, forRecipient } from "../codec/encoded-payload.js";

/**
 * Merges the boxes of another copy into a stored payload; returns the same object if there are no
 * new ones.
 */
export function merge(known: EncodedPayload, pushed: EncodedPayload): EncodedPayload {
  const more = pushed.recipientKeys.flatMap((key, index) => {
    const box = pushed.recipientBoxes[index];
    return box === undefined || forRecipient(known, key) !== undefined ? [] : [{ key, box }];
  });
  if (more.length === 0) return known;
  return {
    ...known,
    recipientKeys: [...more.map(({ key }) => key), ...known.recipientKeys],
    recipientBoxes: [...more.map(({ box }) => box), ...known.recipientBoxes],
  };
}

/** Throws if two payloads with the same hash differ in a common field. */
export function verifySame(known: EncodedPayload, pushed: EncodedPayload): void {
  const differing = (
    ["senderKey", "cipherText", "cipherTextNonce", "recipientNonce"] as const
  ).find((part) => Buffer.compare(known[part], pushed[part]) !== 0);
  const isGroupSame =
    Buffer.compare(
      known.privacyGroupId ?? new Uint8Array(),
      pushed.privacyGroupId ?? new Uint8Array(),
    ) === 0;
  const isModeSame = known.privacyMode === pushed.privacyMode;
  if (differing === undefined && isGroupSame && isModeSame) return;
  const part = differing ?? (isModeSame ? "privacyGroupId" : "privacyMode");
  throw new EnclaveError(400, `${part}: differs from the stored payload`);
}
