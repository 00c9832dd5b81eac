import { type Address, findBytes, type Hash, toHex } from "../primitives/hex.js";
import { basics, type Codec, DecodeError, type Reading } from "./codec.js";

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

const TAGS = ["earliest", "latest", "pending", "safe", "finalized"] as const;

/** A block of the canonical chain as callers name it: a number or a tag. */
export type BlockNumberOrTag = bigint | (typeof TAGS)[number];
/** A block as callers name it: a number on the canonical chain, a tag, or a hash. */
export type BlockId = BlockNumberOrTag | Hash;

/** Block numbers have 63 bits. */
const MAX_BLOCK_NUMBER = 2n ** 63n - 1n;
const NEGATIVE = /^-(\d+|0x[0-9a-f]+)$/i;
const HEX_NUMBER = /^0x[0-9a-f]{1,16}$/i;
const NUMBER = /^(\d{1,19}|0x[0-9a-f]{1,16})$/i;
const INVALID_BLOCK = "Invalid block, unable to parse RLP";

/** A tag in any letter case, a number in hex or decimal, a hash, or an object with one of them (EIP-1898). */
const blockId: Codec<BlockId> = {
  decode(json, path = "", reading) {
    const found = findBlockId(json, reading);
    if (found !== undefined) return found;
    const isNegative = typeof json === "string" && NEGATIVE.test(json);
    throw new DecodeError(
      path,
      "a block number, tag or hash",
      isNegative ? "Invalid block number params" : INVALID_BLOCK,
    );
  },
  encode: (value) => (typeof value === "bigint" ? `0x${value.toString(16)}` : value),
  schema: { type: "string" },
  first: { text: INVALID_BLOCK },
};

/** A tag in any letter case, or a number in hex or decimal. */
const blockNumber: Codec<BlockNumberOrTag> = {
  decode(json, path = "", reading) {
    const found = findNumberOrTag(json, reading);
    if (found === undefined) throw new DecodeError(path, "a block number or tag", INVALID_BLOCK);
    return found;
  },
  encode: blockId.encode,
  schema: { type: "string" },
};

function findBlockId(json: unknown, reading?: Reading): BlockId | undefined {
  if (typeof json === "object" && json !== null) {
    return findBlockId(Reflect.get(json, "blockNumber") ?? Reflect.get(json, "blockHash"), reading);
  }
  const isHash = typeof json === "string" && /^0x[0-9a-f]{64}$/i.test(json);
  return isHash ? (json.toLowerCase() as Hash) : findNumberOrTag(json, reading);
}

function findNumberOrTag(json: unknown, reading?: Reading): BlockNumberOrTag | undefined {
  if (typeof json === "number")
    return Number.isSafeInteger(json) && json >= 0 ? BigInt(json) : undefined;
  if (typeof json !== "string") return undefined;
  const tag = TAGS.find((candidate) => candidate === json.toLowerCase());
  if (tag !== undefined) return tag;
  const form = reading?.takesDecimals === false ? HEX_NUMBER : NUMBER;
  if (!form.test(json)) return undefined;
  const number = BigInt(json);
  return number <= MAX_BLOCK_NUMBER ? number : undefined;
}

/** Every codec that parameters, results and genesis settings are declared with. */
export const t = {
  ...basics,
  quantity,
  data,
  blockId,
  blockNumber,
  hash: fixed(32, "a hash", "Invalid transaction hash params"),
  address: fixed(20, "an address", "Invalid address params") as Codec<Address>,
};
