import {
  type Address,
  type Codec,
  DecodeError,
  t,
  type ValueOf,
  withoutPrefix,
} from "@plinth/core";

/**
 * Hex digits with or without `0x`, padded to a length, as existing files write addresses and keys.
 */
function padded(bytes: number, label: string): Codec<`0x${string}`> {
  return {
    decode(json, path = "") {
      const digits = typeof json === "string" ? withoutPrefix(json).toLowerCase() : "?";
      if (!/^[0-9a-f]*$/.test(digits) || digits.length > bytes * 2) {
        throw new DecodeError(path, `${label} of at most ${bytes} bytes of hex`);
      }
      return `0x${digits.padStart(bytes * 2, "0")}`;
    },
    encode: (value) => value,
    schema: { type: "string" },
  };
}

/** A number in hex; a bare JSON number is parsed as hex digits too, as in Besu. */
const hexNumber: Codec<bigint> = {
  decode(json, path = "") {
    const digits = withoutPrefix(String(json));
    if (/^[0-9a-f]{1,64}$/i.test(digits)) return BigInt(`0x${digits}`);
    throw new DecodeError(path, "a number in hex");
  },
  encode: (value) => `0x${value.toString(16)}`,
  schema: { type: "string" },
};

const anyData: Codec<Uint8Array> = {
  decode(json, path = "") {
    const digits = typeof json === "string" ? withoutPrefix(json) : "?";
    if (/^([0-9a-f]{2})*$/i.test(digits)) return Uint8Array.from(Buffer.from(digits, "hex"));
    throw new DecodeError(path, "bytes in hex");
  },
  encode: (value) => `0x${Buffer.from(value).toString("hex")}`,
  schema: { type: "string" },
};

const address = padded(20, "an address") as Codec<Address>;

const transaction = t.object({
  secretkey: padded(32, "a private key"),
  gaslimit: hexNumber,
  gasprice: hexNumber,
  to: t.optional(address),
  value: t.optional(hexNumber, 0n),
  data: t.optional(anyData),
});

const block = t.object({
  number: t.optional(hexNumber),
  parenthash: t.optional(padded(32, "a hash")),
  coinbase: t.optional(address),
  extradata: t.optional(anyData),
  transactions: t.optional(t.array(transaction), []),
});

const file = t.object({ blocks: t.array(block) });

/** A block to produce. */
export type BlockDescription = ValueOf<typeof block>;

/** Reads a file of blocks to produce; field names are case-insensitive. */
export function readDescriptions(json: unknown): readonly BlockDescription[] {
  return file.decode(lowerNames(json)).blocks;
}

function lowerNames(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(lowerNames);
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [name.toLowerCase(), lowerNames(value)]),
  );
}
