import { decodeRlp } from "@plinth/core";
import { Fields } from "@plinth/core/blocks";
import {
  decodePrivateTransaction,
  type PrivateTransaction,
  readPrivateTransaction,
} from "../transaction/private-transaction.js";

/**
 * Decodes the private transaction in a payload, of a flexible group or not; throws `RlpError` if it
 * is invalid.
 */
export function decodePayload(payload: Uint8Array): PrivateTransaction {
  const [first] = new Fields("payload", [decodeRlp(payload)]).list("content");
  const isVersioned = first !== undefined && !(first instanceof Uint8Array);
  return isVersioned ? readPrivateTransaction(first) : decodePrivateTransaction(payload);
}
