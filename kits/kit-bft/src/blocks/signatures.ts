import { type Address, getCrypto, type Hash, hexToBytes, RlpError } from "@plinth/core";
import type { Signature } from "@plinth/core/primitives";

const SIGNATURE_BYTES = 65;

/** A signature as encoded in seals and messages: `r`, `s` and the parity. */
export function signatureBytes({ r, s, recovery }: Signature): Uint8Array {
  return Uint8Array.of(...r, ...s, recovery);
}

/** The signer of a hash; throws `RlpError` if no key can have made the signature. */
export function recoverSigner(hash: Hash, signature: Uint8Array): Address {
  const recovery = signature[SIGNATURE_BYTES - 1];
  if (signature.length !== SIGNATURE_BYTES || (recovery !== 0 && recovery !== 1)) {
    throw new RlpError(
      `a signature of ${signature.length} bytes ends with ${recovery}, expected ${SIGNATURE_BYTES} and a parity of 0 or 1`,
    );
  }
  const parts = { r: signature.slice(0, 32), s: signature.slice(32, 64), recovery } as const;
  try {
    return getCrypto().addressOf(getCrypto().recover(hexToBytes(hash), parts));
  } catch (cause) {
    throw new RlpError(`no public key can be recovered from the signature over ${hash}`, { cause });
  }
}

/** Whether an address made a signature over a hash. */
export function isSignedBy(address: Address, hash: Hash, signature: Uint8Array): boolean {
  try {
    return recoverSigner(hash, signature) === address;
  } catch (error) {
    if (error instanceof RlpError) return false;
    throw error;
  }
}
