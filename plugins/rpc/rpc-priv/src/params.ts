import {
  type BlockNumberOrTag,
  type BlockReader,
  type Codec,
  type Compatibility,
  DecodeError,
  RpcError,
  t,
} from "@plinth/core";
import { EnclaveError, keyFromBase64 } from "@plinth/kit-enclave";
import { findHeader, type LogQuery, logQuery } from "@plinth/kit-rpc";

const INVALID_GROUP = "Invalid privacy group params";
const FILTER_MEMBERS = [
  "fromBlock",
  "toBlock",
  "blockHash",
  "blockhash",
  "address",
  "addresses",
  "topics",
];

/** The id of a group as text; decoded later, since methods have different errors for it. */
export const groupText: Codec<string> = {
  decode(json, path = "") {
    if (typeof json === "string") return json;
    if (typeof json === "number" || typeof json === "boolean") return String(json);
    throw new DecodeError(path, "a group id (32 bytes in base64)", INVALID_GROUP);
  },
  encode: (value) => value,
  schema: { type: "string" },
};

/** The bytes of a group id; `undefined` if it is invalid. */
export function findGroup(text: string): Uint8Array | undefined {
  try {
    return keyFromBase64(text, "privacyGroupId");
  } catch (error) {
    if (error instanceof EnclaveError) return undefined;
    throw error;
  }
}

/** The bytes of a group id; throws if it is invalid. */
export function getGroup(text: string, { mode }: Pick<Compatibility, "mode">): Uint8Array {
  const group = findGroup(text);
  if (group !== undefined) return group;
  // Seen live.
  if (mode === "besu") throw RpcError.internal();
  throw RpcError.invalidParams(`${INVALID_GROUP}: expected 32 bytes in base64`);
}

/** A block of the canonical chain; checked before the other parameters. */
export const block: Codec<BlockNumberOrTag> = {
  ...t.blockNumber,
  first: { text: "Invalid block, unable to parse RLP" },
};

/** A filter object; unknown members are rejected. */
export const privateFilter: Codec<LogQuery> = {
  ...logQuery,
  decode(json, path = "", reading) {
    const unknown = Object.keys(Object(json)).find((name) => !FILTER_MEMBERS.includes(name));
    if (unknown !== undefined && typeof json === "object") {
      throw new DecodeError(path, `no member ${unknown}`, "Invalid filter params");
    }
    return logQuery.decode(json, path, reading);
  },
};

/** Same for all logs of a group: by default from the first block on. */
export const wholeChainFilter: Codec<LogQuery> = {
  ...privateFilter,
  decode(json, path = "", reading) {
    const found = privateFilter.decode(json, path, reading);
    const isFromFirst = Object(json).fromBlock === undefined || Object(json).fromBlock === null;
    return isFromFirst ? { ...found, fromBlock: "earliest" } : found;
  },
};

/** The number of a block that a filter names. */
export function numberAt(block: BlockNumberOrTag, blocks: BlockReader): bigint {
  if (typeof block === "bigint") return block;
  return findHeader(blocks, block)?.number ?? blocks.head().number;
}

/** The id of a filter; any text is accepted. */
export const filterId = t.withText(t.text, "Invalid filter params");
