import { type Address, findBytes, type Hash, toHex } from "../primitives/hex.js";
import { basics, type Codec, DecodeError } from "./codec.js";

const QUANTITY = /^0x(0|[1-9a-f][0-9a-f]*)$/i;

/** A number as `0x` and hex digits without leading zeros. */
const quantity: Codec<bigint> = {
  decode(json, path = "") {
    if (typeof json !== "string" || !QUANTITY.test(json) || json.length > 66) {
      throw new DecodeError(path, "a quantity such as 0x1f");
    }
    return BigInt(json);
  },
  encode: (value) => `0x${value.toString(16)}`,
  schema: { type: "string", pattern: "^0x(0|[1-9a-f][0-9a-f]*)$" },
};

/** Bytes as `0x` and an even number of hex digits. */
const data: Codec<Uint8Array> = {
  decode(json, path = "") {
    const bytes = typeof json === "string" && json.startsWith("0x") ? findBytes(json) : undefined;
    if (bytes === undefined) {
      throw new DecodeError(path, "hex data such as 0x00ff", "Invalid data params");
    }
    return bytes;
  },
  encode: toHex,
  schema: { type: "string", pattern: "^0x([0-9a-f]{2})*$" },
};

function fixed(bytes: number, label: string, text: string): Codec<Hash> {
  const form = new RegExp(`^0x[0-9a-f]{${bytes * 2}}$`, "i");
  return {
    decode(json, path = "") {
      if (typeof json !== "string" || !form.test(json)) {
        throw new DecodeError(path, `${label} (${bytes} bytes of hex)`, text);
      }
      return json.toLowerCase() as Hash;
    },
    encode: (value) => value,
    schema: { type: "string", pattern: `^0x[0-9a-f]{${bytes * 2}}$` },
  };
}

/** A block as callers name it: a number on the canonical chain, a tag, or a hash. */
export type BlockId = bigint | Hash | "earliest" | "latest" | "pending" | "safe" | "finalized";

const TAGS = ["earliest", "latest", "pending", "safe", "finalized"] as const;
const INVALID_BLOCK = "Invalid block, unable to parse RLP";

/** A tag in any letter case, a number in hex or decimal, a hash, or an object with one of them (EIP-1898). */
const blockId: Codec<BlockId> = {
  decode(json, path = "") {
    const found = findBlockId(json);
    if (found === undefined)
      throw new DecodeError(path, "a block number, tag or hash", INVALID_BLOCK);
    return found;
  },
  encode: (value) => (typeof value === "bigint" ? `0x${value.toString(16)}` : value),
  schema: { type: "string" },
};

function findBlockId(json: unknown): BlockId | undefined {
  if (typeof json === "number")
    return Number.isSafeInteger(json) && json >= 0 ? BigInt(json) : undefined;
  if (typeof json === "object" && json !== null) {
    return findBlockId(Reflect.get(json, "blockNumber") ?? Reflect.get(json, "blockHash"));
  }
  if (typeof json !== "string") return undefined;
  const tag = TAGS.find((candidate) => candidate === json.toLowerCase());
  if (tag !== undefined) return tag;
  if (/^0x[0-9a-f]{64}$/i.test(json)) return json.toLowerCase() as Hash;
  return /^(\d{1,19}|0x[0-9a-f]{1,16})$/i.test(json) ? BigInt(json) : undefined;
}

/** Every codec that parameters, results and genesis settings are declared with. */
export const t = {
  ...basics,
  quantity,
  data,
  blockId,
  hash: fixed(32, "a hash", "Invalid transaction hash params"),
  address: fixed(20, "an address", "Invalid address params") as Codec<Address>,
};
