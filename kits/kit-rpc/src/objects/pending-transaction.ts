import { type Compatibility, type Transaction, toHex } from "@plinth/core";
import { findPublicKey } from "@plinth/core/blocks";
import { differencesOf } from "../differences.js";
import { transactionObject } from "./transaction.js";

/** A pending transaction as callers see it; `raw` is its network encoding, with its blobs. */
export function pendingObject(
  transaction: Transaction,
  compatibility: Compatibility,
  raw: Uint8Array = transaction.raw,
) {
  const object = transactionObject(transaction, { compatibility });
  if (!differencesOf(compatibility).showsPendingRaw) return { ...object, blockTimestamp: null };
  const publicKey = findPublicKey(transaction);
  return {
    ...object,
    chainId: object.chainId ?? null,
    publicKey: publicKey === undefined ? null : toHex(publicKey),
    raw: toHex(raw),
  };
}
