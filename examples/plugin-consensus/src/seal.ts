import {
  type Address,
  getCrypto,
  type Hash,
  type Header,
  InvalidBlock,
  keccakHeader,
  parseHex,
} from "@plinth/core";

const SEAL_BYTES = 65;
const UNSEALED = new Uint8Array();

/** The hash of a block, which is also what its author signs: the seal is left out; block 0 has none. */
export function hashWithoutSeal(header: Header): Hash {
  return header.number === 0n ? keccakHeader(header) : keccakHeader(header, UNSEALED);
}

/** The header with the signature of its author: `r`, `s` and the parity. */
export function seal(header: Header, privateKey: Uint8Array): Header {
  const { r, s, recovery } = getCrypto().sign(signedBytes(header), privateKey);
  return { ...header, extraData: Uint8Array.of(...r, ...s, recovery) };
}

/** Who sealed a header; throws `InvalidBlock` when nobody can have. */
export function signerOf(header: Header): Address {
  const { number, extraData } = header;
  const recovery = extraData[SEAL_BYTES - 1];
  if (extraData.length !== SEAL_BYTES || (recovery !== 0 && recovery !== 1)) {
    throw new InvalidBlock("seal", `block ${number}: its extra data is no signature`);
  }
  const signature = { r: extraData.slice(0, 32), s: extraData.slice(32, 64), recovery } as const;
  try {
    return getCrypto().addressOf(getCrypto().recover(signedBytes(header), signature));
  } catch (cause) {
    throw new InvalidBlock("seal", `block ${number}: nobody can have signed it`, cause);
  }
}

function signedBytes(header: Header): Uint8Array {
  return parseHex(hashWithoutSeal(header)) ?? UNSEALED;
}
