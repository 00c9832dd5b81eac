import {
  type Address,
  getCrypto,
  type Hash,
  type Header,
  hexToBytes,
  InvalidBlock,
  keccakHeader,
  type SealedHeader,
  ZERO_ADDRESS,
} from "@plinth/core";
import { LruMap, type Signature } from "@plinth/core/primitives";
import { SEAL_BYTES } from "./extra-data.js";

/** Signers that are kept by the hash of their block: recovering one takes a curve operation. */
const MAX_KEPT = 4096;

/** What a signer signs: the header without the seal, and without fields of forks that Clique does not reach. */
export function sealHash(header: Header): Hash {
  const {
    withdrawalsRoot,
    blobGasUsed,
    excessBlobGas,
    parentBeaconBlockRoot,
    requestsHash,
    ...own
  } = header;
  return keccakHeader(own, header.extraData.slice(0, -SEAL_BYTES));
}

/** The header with a signature in the place of its seal. */
export function withSeal(header: Header, { r, s, recovery }: Signature): Header {
  const unsealed = header.extraData.slice(0, -SEAL_BYTES);
  return { ...header, extraData: Uint8Array.of(...unsealed, ...r, ...s, recovery) };
}

/** Whether the place of the seal is empty, as in a block that is being built. */
export function isUnsealed({ extraData }: Header): boolean {
  return extraData.slice(-SEAL_BYTES).every((byte) => byte === 0);
}

/** Finds out who signed headers. */
export class Seals {
  readonly #byHash = new LruMap<Hash, Address>({ max: MAX_KEPT });

  /** The signer of a header, the zero address for block 0; throws `InvalidBlock` when the seal is no signature. */
  signerOf(header: Header | SealedHeader): Address {
    if (header.number === 0n) return ZERO_ADDRESS;
    const hash = "hash" in header ? header.hash : undefined;
    const kept = hash && this.#byHash.peek(hash);
    if (kept !== undefined) return kept;
    const signer = recoverSigner(header);
    if (hash !== undefined) this.#byHash.add(hash, signer);
    return signer;
  }
}

function recoverSigner(header: Header): Address {
  const { number, extraData } = header;
  const seal = extraData.slice(-SEAL_BYTES);
  const recovery = seal[SEAL_BYTES - 1];
  if (seal.length !== SEAL_BYTES || (recovery !== 0 && recovery !== 1)) {
    throw new InvalidBlock(
      "seal",
      `block ${number}: its extra data ends with no signature; expected r, s and a parity of 0 or 1`,
    );
  }
  const signature = { r: seal.slice(0, 32), s: seal.slice(32, 64), recovery } as const;
  const crypto = getCrypto();
  try {
    return crypto.addressOf(crypto.recover(hexToBytes(sealHash(header)), signature));
  } catch (cause) {
    throw new InvalidBlock("seal", `block ${number}: its seal is no valid signature`, cause);
  }
}
