import {
  type Address,
  getCrypto,
  type Hash,
  type Header,
  hexToBytes,
  InvalidBlock,
  keccakHeader,
} from "@plinth/core";
import type { Signature } from "@plinth/core/primitives";
import { SEAL_BYTES, withoutSeal } from "./extra-data.js";

/** The hash of a block, which its author also signs: it excludes the seal; block 0 has none. */
export function hashWithoutSeal(header: Header): Hash {
  return keccakHeader(header, withoutSeal(header));
}

/** The header with the signature of its author after its extra data: `r`, `s` and the parity. */
export function withSeal(header: Header, { r, s, recovery }: Signature): Header {
  return { ...header, extraData: Uint8Array.of(...header.extraData, ...r, ...s, recovery) };
}

/** The signer of a header; throws `InvalidBlock` if the seal is not a valid signature. */
export function signerOf(header: Header): Address {
  const { number, extraData } = header;
  const bytes = extraData.slice(-SEAL_BYTES);
  const recovery = bytes[SEAL_BYTES - 1];
  if (bytes.length !== SEAL_BYTES || (recovery !== 0 && recovery !== 1)) {
    throw new InvalidBlock("seal", `block ${number}: its extra data does not end with a signature`);
  }
  const signature = { r: bytes.slice(0, 32), s: bytes.slice(32, 64), recovery } as const;
  try {
    const key = getCrypto().recover(hexToBytes(hashWithoutSeal(header)), signature);
    return getCrypto().addressOf(key);
  } catch (cause) {
    throw new InvalidBlock("seal", `block ${number}: its seal is not a valid signature`, cause);
  }
}
