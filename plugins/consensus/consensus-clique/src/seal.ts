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
import { copyHeader } from "@plinth/core/blocks";
import { LruMap, type Signature } from "@plinth/core/primitives";
import { SEAL_BYTES } from "./extra-data.js";

/** Number of cached signers, by block hash: recovering one takes a curve operation. */
const MAX_KEPT = 4096;

/**
 * The signed content: the header without the seal, and without fields of forks that Clique does not
 * reach.
 */
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

/** Returns the header with a signature as its seal. */
export function withSeal(header: Header, { r, s, recovery }: Signature): Header {
  const unsealed = header.extraData.slice(0, -SEAL_BYTES);
  return copyHeader(header, { extraData: Uint8Array.of(...unsealed, ...r, ...s, recovery) });
}

/** Whether the seal is empty, as in a block being built. */
export function isUnsealed({ extraData }: Header): boolean {
  return extraData.slice(-SEAL_BYTES).every((byte) => byte === 0);
}

/** Recovers the signers of headers. */
export class Seals {
  readonly #byHash = new LruMap<Hash, Address>({ max: MAX_KEPT });

  /**
   * The signer of a header, the zero address for block 0; throws `InvalidBlock` if the seal is not
   * a signature.
   */
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
      `block ${number}: its extra data does not end with a signature; expected r, s and a parity of 0 or 1`,
    );
  }
  const signature = { r: seal.slice(0, 32), s: seal.slice(32, 64), recovery } as const;
  const crypto = getCrypto();
  try {
    return crypto.addressOf(crypto.recover(hexToBytes(sealHash(header)), signature));
  } catch (cause) {
    throw new InvalidBlock("seal", `block ${number}: its seal is not a valid signature`, cause);
  }
}
