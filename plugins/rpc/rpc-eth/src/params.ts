import { type Codec, DecodeError, type Hash, t } from "@plinth/core";

/** The hash of a block. */
export const blockHash: Codec<Hash> = t.withText(t.hash, "Invalid block hash params");

/** Whether to return complete transactions instead of their hashes; required. */
export const verbose: Codec<boolean> = t.withText(
  t.boolean,
  "Invalid return complete transaction params",
);

const MAX_INDEX = 2 ** 31 - 1;

/** A count or an index: a JSON integer, or text in hex or decimal. */
export const index: Codec<number> = {
  decode(json, path = "") {
    const isText = typeof json === "string" && /^(\d{1,10}|0x[0-9a-f]{1,16})$/i.test(json);
    const number = isText ? Number(json) : json;
    if (typeof number === "number" && Number.isInteger(number) && number >= 0) {
      if (number <= MAX_INDEX) return number;
    }
    throw new DecodeError(path, "a number such as 0x1f");
  },
  encode: (value) => `0x${value.toString(16)}`,
  schema: { type: "string" },
};

/** A storage slot: up to 32 bytes of hex, left-padded. */
export const position: Codec<Hash> = {
  decode(json, path = "") {
    const digits =
      typeof json === "string" ? /^(?:0x)?([0-9a-f]{0,64})$/i.exec(json)?.[1] : undefined;
    if (digits === undefined) {
      throw new DecodeError(path, "up to 32 bytes of hex", "Invalid position params");
    }
    return `0x${digits.toLowerCase().padStart(64, "0")}`;
  },
  encode: (value) => value,
  schema: { type: "string", pattern: "^0x[0-9a-f]{1,64}$" },
};
