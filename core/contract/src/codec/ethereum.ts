import { closestTo } from "../primitives/closest.js";
import { type Address, type Hash, parseHex, toHex, withoutPrefix } from "../primitives/hex.js";
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

const MAX_WEI = 2n ** 256n - 1n;
const HEX_AMOUNT = /^(0x)?[0-9a-f]+$/i;
/** Some clients send many leading zeros, but not this many. */
const MAX_AMOUNT_TEXT = 1026;

/** An amount inside an object: hex digits, with or without `0x`, or a JSON integer; at most 256 bits. */
const wei: Codec<bigint> = {
  decode(json, path = "") {
    const amount = findAmount(json);
    if (amount === undefined || amount > MAX_WEI) {
      throw new DecodeError(path, "an amount such as 0x1f, of at most 256 bits");
    }
    return amount;
  },
  encode: quantity.encode,
  schema: { type: "string", pattern: "^0x[0-9a-f]+$" },
};

const MAX_UINT64 = 2n ** 64n - 1n;

/** A nonce inside an object, written like an amount; at most 64 bits. */
const uint64: Codec<bigint> = {
  ...wei,
  decode(json, path = "") {
    const amount = findAmount(json);
    if (amount !== undefined && amount <= MAX_UINT64) return amount;
    throw new DecodeError(path, "a number such as 0x1f, of at most 64 bits");
  },
};

const MAX_GAS = 2n ** 63n - 1n;

/** An amount of gas inside an object; more than 63 bits means unlimited. */
const gas: Codec<bigint> = {
  decode(json, path = "") {
    const amount = findAmount(json);
    if (amount === undefined) throw new DecodeError(path, "an amount of gas such as 0x5208");
    return amount < MAX_GAS ? amount : MAX_GAS;
  },
  encode: quantity.encode,
  schema: { type: "string", pattern: "^0x[0-9a-f]+$" },
};

function findAmount(json: unknown): bigint | undefined {
  if (typeof json === "number") return findInteger(json);
  const isHex = typeof json === "string" && json.length <= MAX_AMOUNT_TEXT && HEX_AMOUNT.test(json);
  return isHex ? BigInt(`0x${withoutPrefix(json)}`) : undefined;
}

/** Bytes as an even number of hex digits, with or without `0x`. */
const data: Codec<Uint8Array> = {
  decode(json, path = "") {
    const bytes = typeof json === "string" ? parseHex(json) : undefined;
    if (bytes === undefined) {
      throw new DecodeError(path, "hex data such as 0x00ff", "Invalid data params");
    }
    return bytes;
  },
  encode: toHex,
  schema: { type: "string", pattern: "^0x([0-9a-f]{2})*$" },
};

/**
 * A fixed number of bytes as hex digits, with or without `0x`; at least `shortest` digits, padded
 * on the left.
 */
function fixed(
  bytes: number,
  { label, text, shortest }: { readonly label: string; readonly text: string; shortest: number },
): Codec<Hash> {
  const form = new RegExp(`^(?:0x)?([0-9a-f]{${shortest},${bytes * 2}})$`, "i");
  const canonical = new RegExp(`^0x[0-9a-f]{${bytes * 2}}$`);
  return {
    decode(json, path = "", reading) {
      if (typeof json === "string" && canonical.test(json)) return json as Hash;
      const digits = typeof json === "string" ? form.exec(json)?.[1] : undefined;
      const isBare = digits !== undefined && digits.length === String(json).length;
      const isShort = digits !== undefined && digits.length < bytes * 2;
      if (
        digits === undefined ||
        (isBare && reading?.takesBareDigits === false) ||
        (isShort && reading?.takesShortAddresses === false)
      ) {
        throw new DecodeError(path, `${label} (${bytes} bytes of hex)`, text);
      }
      return `0x${digits.toLowerCase().padStart(bytes * 2, "0")}`;
    },
    encode: (value) => value,
    schema: { type: "string", pattern: `^0x[0-9a-f]{${bytes * 2}}$` },
  };
}

/** A longer text is not a misspelled tag. */
const MAX_TAG_LENGTH = 16;
const TAGS = ["earliest", "latest", "pending", "safe", "finalized"] as const;
const tagsByText = new Map<string, (typeof TAGS)[number]>(TAGS.map((tag) => [tag, tag]));

/** A block of the canonical chain as callers specify it: a number or a tag. */
export type BlockNumberOrTag = bigint | (typeof TAGS)[number];
/** The hash of a block that must be on the canonical chain. */
export interface CanonicalHash {
  readonly canonical: Hash;
}
/** A block as callers specify it: a number on the canonical chain, a tag, or a hash. */
export type BlockId = BlockNumberOrTag | Hash | CanonicalHash;

/** Block numbers have at most 63 bits. */
const MAX_BLOCK_NUMBER = 2n ** 63n - 1n;
const NEGATIVE = /^-(\d+|0x[0-9a-f]+)$/i;
const HEX_NUMBER = /^0x[0-9a-f]{1,16}$/i;
const NUMBER = /^(\d{1,19}|0x[0-9a-f]{1,16})$/i;
/** One digit may be missing on the left. */
const BLOCK_HASH = /^0x([0-9a-f]{63,64})$/i;
const INVALID_BLOCK = "Invalid block, unable to parse RLP";

/** A tag in any letter case, a number in hex or decimal, a hash, or an object with one of them (EIP-1898). */
const blockId: Codec<BlockId> = {
  decode(json, path = "", reading) {
    const found = findBlockId(json, reading);
    if (found !== undefined) return found;
    const isNegative = typeof json === "string" && NEGATIVE.test(json);
    throw new DecodeError(
      path,
      `a block number, hash or ${describeTags(json)}`,
      isNegative ? "Invalid block number params" : INVALID_BLOCK,
    );
  },
  encode: (value) =>
    typeof value === "object"
      ? { blockHash: value.canonical, requireCanonical: true }
      : encodeNumberOrTag(value),
  schema: { type: ["string", "integer", "object"] },
  first: { text: INVALID_BLOCK },
};

/** A tag in any letter case, or a number in hex or decimal. */
const blockNumber: Codec<BlockNumberOrTag> = {
  decode(json, path = "", reading) {
    const found = findNumberOrTag(json, reading) ?? findNegative(json, reading);
    if (found !== undefined) return found;
    throw new DecodeError(path, `a block number or ${describeTags(json)}`, INVALID_BLOCK);
  },
  encode: encodeNumberOrTag,
  schema: { type: ["string", "integer"] },
};

/** The list of tags, with a suggestion for a misspelled one. */
function describeTags(json: unknown): string {
  const text = typeof json === "string" && json.length <= MAX_TAG_LENGTH ? json.toLowerCase() : "";
  const [closest] = closestTo(text, TAGS);
  const hint = closest === undefined ? "" : `; did you mean ${closest}?`;
  return `tag (${TAGS.join(", ")}${hint})`;
}

function encodeNumberOrTag(value: BlockNumberOrTag | Hash): string {
  return typeof value === "bigint" ? `0x${value.toString(16)}` : value;
}

function findBlockId(json: unknown, reading?: Reading): BlockId | undefined {
  if (typeof json === "object" && json !== null) return findNamedBlock(json, reading);
  const found = findNumberOrTag(json, reading);
  if (found !== undefined || typeof json !== "string") return found;
  const digits = BLOCK_HASH.exec(json)?.[1];
  return digits === undefined ? undefined : `0x${digits.toLowerCase().padStart(64, "0")}`;
}

/** Such a block does not exist; the error reports it. */
function findNegative(json: unknown, reading?: Reading): bigint | undefined {
  if (typeof json === "number" && reading?.takesIntegers === false) return undefined;
  const isNumber = typeof json === "number" && Number.isSafeInteger(json) && json < 0;
  const isText = typeof json === "string" && json.length <= 20 && NEGATIVE.test(json);
  return isNumber || isText ? -1n : undefined;
}

/** EIP-1898. */
function findNamedBlock(json: object, reading?: Reading): BlockId | undefined {
  const { blockNumber, blockHash, requireCanonical } = json as Readonly<Record<string, unknown>>;
  if (blockNumber !== undefined) {
    if (blockHash !== undefined) return undefined;
    // Inside an object an integer is accepted in every mode.
    return findInteger(blockNumber) ?? findNumberOrTag(blockNumber, reading);
  }
  const digits = typeof blockHash === "string" ? BLOCK_HASH.exec(blockHash)?.[1] : undefined;
  if (digits === undefined) return undefined;
  const hash: Hash = `0x${digits.toLowerCase().padStart(64, "0")}`;
  return requireCanonical === true ? { canonical: hash } : hash;
}

function findInteger(json: unknown): bigint | undefined {
  const isNumber = typeof json === "number" && Number.isSafeInteger(json) && json >= 0;
  return isNumber ? BigInt(json) : undefined;
}

function findNumberOrTag(json: unknown, reading?: Reading): BlockNumberOrTag | undefined {
  if (typeof json === "number" && reading?.takesIntegers !== false) return findInteger(json);
  if (typeof json !== "string") return undefined;
  const tag = tagsByText.get(json) ?? tagsByText.get(json.toLowerCase());
  if (tag !== undefined) return tag;
  const form = reading?.takesDecimals === false ? HEX_NUMBER : NUMBER;
  if (!form.test(json)) return undefined;
  const number = BigInt(json);
  return number <= MAX_BLOCK_NUMBER ? number : undefined;
}

/** All codecs for parameters, results and genesis settings. */
export const t = {
  ...basics,
  quantity,
  wei,
  uint64,
  gas,
  data,
  blockId,
  blockNumber,
  hash: fixed(32, { label: "a hash", text: "Invalid transaction hash params", shortest: 64 }),
  address: fixed(20, {
    label: "an address",
    text: "Invalid address params",
    shortest: 1,
  }) as Codec<Address>,
};
