import { type Address, type Header, hexToBytes, InvalidBlock, toHex } from "@plinth/core";

/** Vanity bytes of the signer. */
export const VANITY_BYTES = 32;
/** A signature: `r`, `s` and the parity. */
export const SEAL_BYTES = 65;
/** Length of a signer's address. */
export const ADDRESS_BYTES = 20;

/** Number of signers in the extra data of a block; throws `InvalidBlock` if it is malformed. */
export function countListedSigners({ number, extraData }: Header): number {
  const listed = extraData.length - VANITY_BYTES - SEAL_BYTES;
  if (listed >= 0 && listed % ADDRESS_BYTES === 0) return listed / ADDRESS_BYTES;
  throw new InvalidBlock(
    "extra-data",
    `block ${number}: its extra data has ${extraData.length} bytes, expected ${VANITY_BYTES + SEAL_BYTES} and ${ADDRESS_BYTES} for each signer`,
  );
}

/** The signers in the extra data of a block, between its vanity and its seal. */
export function listedSigners(header: Header): readonly Address[] {
  return Array.from({ length: countListedSigners(header) }, (_, index) => {
    const at = VANITY_BYTES + index * ADDRESS_BYTES;
    return toHex(header.extraData.slice(at, at + ADDRESS_BYTES));
  });
}

/** Extra data with an empty seal; the vanity is left-padded. */
export function unsealedExtraData(vanity: Uint8Array, signers: readonly Address[]): Uint8Array {
  const bytes = new Uint8Array(VANITY_BYTES + signers.length * ADDRESS_BYTES + SEAL_BYTES);
  const shown = vanity.slice(0, VANITY_BYTES);
  bytes.set(shown, VANITY_BYTES - shown.length);
  for (const [index, signer] of signers.entries()) {
    bytes.set(hexToBytes(signer), VANITY_BYTES + index * ADDRESS_BYTES);
  }
  return bytes;
}
