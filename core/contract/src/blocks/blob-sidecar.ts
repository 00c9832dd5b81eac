import { createHash } from "node:crypto";
import { type Hash, toHex } from "../primitives/hex.js";
import { decodeRlp, type Rlp, RlpError } from "../primitives/rlp.js";
import { encodeEnvelope } from "./envelope.js";

/** The blobs of a transaction, with their commitments and proofs. */
export interface Sidecar {
  /** One proof per blob (EIP-4844), or one per cell (EIP-7594). */
  readonly proofsOf: "blobs" | "cells";
  readonly blobs: readonly Uint8Array[];
  readonly commitments: readonly Uint8Array[];
  readonly proofs: readonly Uint8Array[];
}

/** The encoded transaction, with its blobs if they were sent along. */
export interface Opened {
  readonly raw: Uint8Array;
  readonly sidecar: Sidecar | undefined;
}

const BLOB_TYPE = 3;
/** EIP-4844: 4096 field elements of 32 bytes. */
const BLOB_BYTES = 131_072;
const POINT_BYTES = 48;
/** EIP-7594: number of cells of an extended blob. */
const CELLS_PER_BLOB = 128;
const CELL_VERSION = 1;
/** EIP-4844: first byte of a versioned hash. */
const HASH_VERSION = 1;

/** Decodes the network encoding of a blob transaction; other bytes are returned unchanged. */
export function openNetworkForm(bytes: Uint8Array): Opened {
  if (bytes[0] !== BLOB_TYPE) return { raw: bytes, sidecar: undefined };
  const items = decodeRlp(bytes.subarray(1));
  if (items instanceof Uint8Array || !Array.isArray(items[0])) {
    return { raw: bytes, sidecar: undefined };
  }
  return { raw: encodeEnvelope(BLOB_TYPE, items[0]), sidecar: readSidecar(items.slice(1)) };
}

/**
 * Whether every versioned hash has a blob, a matching commitment and the required number of proofs.
 */
export function matchesHashes(
  { proofsOf, blobs, commitments, proofs }: Sidecar,
  hashes: readonly Hash[],
): boolean {
  const proofsPerBlob = proofsOf === "cells" ? CELLS_PER_BLOB : 1;
  return (
    blobs.length === hashes.length &&
    commitments.length === hashes.length &&
    proofs.length === hashes.length * proofsPerBlob &&
    commitments.every((commitment, index) => versionedHash(commitment) === hashes[index])
  );
}

function readSidecar(items: readonly Rlp[]): Sidecar {
  const hasVersion = items[0] instanceof Uint8Array;
  const [version, ...rest] = items;
  if (
    hasVersion &&
    !(version instanceof Uint8Array && version.length === 1 && version[0] === CELL_VERSION)
  ) {
    throw new RlpError(`transaction.sidecar: version is not ${CELL_VERSION}`);
  }
  const lists = hasVersion ? rest : items;
  if (lists.length !== 3) {
    throw new RlpError("transaction.sidecar: expected blobs, commitments and proofs");
  }
  return {
    proofsOf: hasVersion ? "cells" : "blobs",
    blobs: readBytes("blobs", lists[0], BLOB_BYTES),
    commitments: readBytes("commitments", lists[1], POINT_BYTES),
    proofs: readBytes("proofs", lists[2], POINT_BYTES),
  };
}

function readBytes(name: string, item: Rlp | undefined, length: number): readonly Uint8Array[] {
  if (item === undefined || item instanceof Uint8Array) {
    throw new RlpError(`transaction.sidecar.${name}: expected a list`);
  }
  return item.map((part) => {
    if (part instanceof Uint8Array && part.length === length) return part;
    throw new RlpError(`transaction.sidecar.${name}: expected ${length} bytes each`);
  });
}

function versionedHash(commitment: Uint8Array): Hash {
  const hash = createHash("sha256").update(commitment).digest();
  hash[0] = HASH_VERSION;
  return toHex(hash);
}
