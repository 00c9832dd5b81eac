import { keyFromBase64 } from "./base64.js";
import { EnclaveError } from "./errors.js";
import { type JsonObject, readText } from "./json-body.js";

/** A question to a member's node about the blocks of a group. Numbers are decimal strings. */
export interface StateQuestion {
  readonly privacyGroupId: string;
  readonly from: string;
  readonly to: string;
  /** Of the block `to`, as hex with 0x. */
  readonly blockHash: string;
}

const HASH = /^0x[0-9a-f]{64}$/;
/** Less than 2^63. */
const NUMBER = /^(?:0|[1-9]\d{0,17})$/;

/** Decodes a question; additional members are dropped. */
export function readStateQuestion(json: JsonObject): StateQuestion {
  const privacyGroupId = readText(json, "privacyGroupId");
  keyFromBase64(privacyGroupId, "privacyGroupId");
  const from = readNumber(readText(json, "from"), "from");
  const to = readNumber(readText(json, "to"), "to");
  if (BigInt(from) > BigInt(to)) throw new EnclaveError(400, "from: expected at most to");
  return {
    privacyGroupId,
    from,
    to,
    blockHash: readHash(readText(json, "blockHash"), "blockHash"),
  };
}

/** Verifies a block number in decimal. */
export function readNumber(text: string, name: string): string {
  if (NUMBER.test(text)) return text;
  throw new EnclaveError(400, `${name}: expected a block number as a decimal string`);
}

/** Verifies a hash in hex. */
export function readHash(text: string, name: string): string {
  if (HASH.test(text)) return text;
  throw new EnclaveError(400, `${name}: expected 0x and 64 hex digits`);
}
