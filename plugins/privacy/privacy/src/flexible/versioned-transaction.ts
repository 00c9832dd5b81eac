import { decodeRlp, encodeRlp } from "@plinth/core";
import { Fields } from "@plinth/core/blocks";
import {
  type PrivateTransaction,
  readPrivateTransaction,
} from "../transaction/private-transaction.js";

const VERSION_BYTES = 32;

/** A private transaction of a flexible group, with the group version that its sender has seen. */
export interface VersionedTransaction {
  readonly transaction: PrivateTransaction;
  /** The bare transaction, as encoded by its sender. */
  readonly encoded: Uint8Array;
  readonly version: Uint8Array;
}

/** Decodes a payload for the members of a flexible group; throws `RlpError` if it is invalid. */
export function decodeVersionedTransaction(bytes: Uint8Array): VersionedTransaction {
  const fields = new Fields("private transaction of a flexible group", decodeRlp(bytes));
  const item = fields.item("transaction");
  const version = fields.fixed("version", VERSION_BYTES);
  fields.verifyEnd();
  return { transaction: readPrivateTransaction(item), encoded: encodeRlp(item), version };
}

export function encodeVersionedTransaction(encoded: Uint8Array, version: Uint8Array): Uint8Array {
  return encodeRlp([decodeRlp(encoded), version]);
}
