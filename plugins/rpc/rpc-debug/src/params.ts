import { type Codec, DecodeError, type Hash, t } from "@plinth/core";

const MAX_INDEX = 2 ** 31 - 1;

/** The hash of a block. */
export const blockHash: Codec<Hash> = t.withText(t.hash, "Invalid block hash params");

/** Transaction index: a JSON integer, or text in hex or decimal; a negative one means none. */
export const transactionIndex: Codec<number> = integer(
  "Invalid transaction index params",
  -MAX_INDEX,
);

/** Maximum number of entries. */
export const limit = (text: string): Codec<number> => integer(text, 0);

/** Start key: up to 32 bytes of hex, left-padded. */
export const startKey = (text: string): Codec<Hash> => ({
  decode(json, path = "") {
    const digits =
      typeof json === "string" ? /^(?:0x)?([0-9a-f]{0,64})$/i.exec(json)?.[1] : undefined;
    if (digits === undefined) throw new DecodeError(path, "up to 32 bytes of hex", text);
    return `0x${digits.toLowerCase().padStart(64, "0")}`;
  },
  encode: (value) => value,
  schema: { type: "string", pattern: "^0x[0-9a-f]{1,64}$" },
});

function integer(text: string, least: number): Codec<number> {
  return {
    decode(json, path = "") {
      const isText = typeof json === "string" && /^(-?\d{1,10}|0x[0-9a-f]{1,8})$/i.test(json);
      const number = isText ? Number(json) : json;
      const isFine =
        typeof number === "number" &&
        Number.isInteger(number) &&
        number >= least &&
        number <= MAX_INDEX;
      if (isFine) return number;
      throw new DecodeError(path, "a whole number", text);
    },
    encode: (value) => value,
    schema: { type: "integer" },
  };
}
