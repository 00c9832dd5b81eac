import { encodeRlp, type Hash, hexToBytes, StorageError, toHex } from "@plinth/core";
import { scalarBytes } from "@plinth/core/blocks";
import { keccakHash } from "@plinth/core/primitives";

/** Whether a block joined or left the canonical chain. */
export type ChangeKind = "added" | "removed";

/** A change of the canonical chain by one block. */
export interface ChangeRecord {
  /** Dense, from 1 on. */
  readonly sequence: bigint;
  readonly kind: ChangeKind;
  readonly number: bigint;
  readonly blockHash: Hash;
  /** The hash of the previous record; of the first one, the id of the stream. */
  readonly previous: Hash;
  /** Commits to all of the above, and so to all records before it. */
  readonly hash: Hash;
}

/** The numbers of the kinds, in hashes and on the disk. */
const KINDS: readonly ChangeKind[] = ["removed", "added"];
const NUMBER_BYTES = 8;
const HASH_BYTES = 32;
const BLOCK_HASH_AT = 1 + NUMBER_BYTES;
const PREVIOUS_AT = BLOCK_HASH_AT + HASH_BYTES;

/** Computes the hash of a record. */
export function createRecord(content: Omit<ChangeRecord, "hash">): ChangeRecord {
  return { ...content, hash: hashOfRecord(content) };
}

/** The hash of a record: Keccak-256 of the RLP list of previous, sequence, kind, number and block hash. */
export function hashOfRecord({
  previous,
  sequence,
  kind,
  number,
  blockHash,
}: Omit<ChangeRecord, "hash">): Hash {
  return keccakHash(
    encodeRlp([
      hexToBytes(previous),
      scalarBytes(sequence),
      scalarBytes(BigInt(KINDS.indexOf(kind))),
      scalarBytes(number),
      hexToBytes(blockHash),
    ]),
  );
}

/** Encodes a record for the database; its sequence number is the key. */
export function encodeRecord({ kind, number, blockHash, previous }: ChangeRecord): Uint8Array {
  const bytes = Buffer.alloc(PREVIOUS_AT + HASH_BYTES);
  bytes[0] = KINDS.indexOf(kind);
  bytes.writeBigUInt64BE(number, 1);
  bytes.set(hexToBytes(blockHash), BLOCK_HASH_AT);
  bytes.set(hexToBytes(previous), PREVIOUS_AT);
  return bytes;
}

/** Decodes a record of the database; throws `StorageError` if it is not one. */
export function decodeRecord(sequence: bigint, bytes: Uint8Array): ChangeRecord {
  const kind = KINDS[bytes[0] ?? KINDS.length];
  if (kind === undefined || bytes.length !== PREVIOUS_AT + HASH_BYTES) {
    throw unreadable(`record ${sequence}`);
  }
  return createRecord({
    sequence,
    kind,
    number: Buffer.from(bytes).readBigUInt64BE(1),
    blockHash: toHex(bytes.subarray(BLOCK_HASH_AT, PREVIOUS_AT)),
    previous: toHex(bytes.subarray(PREVIOUS_AT)),
  });
}

/** The error of an entry that is missing or damaged. */
export function unreadable(entry: string): StorageError {
  return new StorageError("STORAGE_DAMAGED", {
    message: `the database is damaged: the ${entry} of the stream of changes cannot be read; \`db repair\` removes the stream, and another one begins`,
  });
}
