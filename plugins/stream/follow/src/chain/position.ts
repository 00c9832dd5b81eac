import { decodeRlp, encodeRlp, type Hash, hexToBytes, RlpError, toHex } from "@plinth/core";
import { Fields, scalarBytes } from "@plinth/core/blocks";
import type { RecordPosition } from "@plinth/plugin-changes/api";

/** The last record of a stream that this chain has, and the head of the source after it. */
export interface Position extends RecordPosition {
  /** Of the stream. */
  readonly id: Hash;
  /** The block that was the head of the source after the record. */
  readonly tip: Hash;
}

/** The key of the position in its table. */
export const POSITION_KEY = Buffer.from("position");

/** Encodes a position for the database. */
export function encodePosition({ id, sequence, hash, tip }: Position): Uint8Array {
  return encodeRlp([hexToBytes(id), scalarBytes(sequence), hexToBytes(hash), hexToBytes(tip)]);
}

/** Decodes a position; `undefined` if it cannot be read: then it is found again. */
export function decodePosition(bytes: Uint8Array): Position | undefined {
  try {
    const fields = new Fields("position", decodeRlp(bytes));
    const position = {
      id: toHex(fields.fixed("id", 32)),
      sequence: fields.uint64("sequence"),
      hash: toHex(fields.fixed("hash", 32)),
      tip: toHex(fields.fixed("tip", 32)),
    };
    fields.verifyEnd();
    return position;
  } catch (error) {
    if (error instanceof RlpError) return undefined;
    throw error;
  }
}
