import { decodeRlp, encodeRlp, type Hash, hexToBytes, RlpError, toHex } from "@plinth/core";
import { Fields, scalarBytes } from "@plinth/core/blocks";
import { unreadable } from "./change-record.js";

/** Where a stream begins. */
export interface StreamStart {
  /** 32 random bytes; another stream has another id. */
  readonly id: Hash;
  /** The head at which the stream began: the first record is of a block after it. */
  readonly number: bigint;
  readonly hash: Hash;
}

/** Encodes the start of a stream for the database. */
export function encodeStart({ id, number, hash }: StreamStart): Uint8Array {
  return encodeRlp([hexToBytes(id), scalarBytes(number), hexToBytes(hash)]);
}

/** Decodes the start of a stream; throws `StorageError` if it is not one. */
export function decodeStart(bytes: Uint8Array): StreamStart {
  try {
    const fields = new Fields("start of the stream of changes", decodeRlp(bytes));
    const start = {
      id: toHex(fields.fixed("id", 32)),
      number: fields.uint64("number"),
      hash: toHex(fields.fixed("hash", 32)),
    };
    fields.verifyEnd();
    return start;
  } catch (error) {
    throw error instanceof RlpError ? unreadable("start") : error;
  }
}
