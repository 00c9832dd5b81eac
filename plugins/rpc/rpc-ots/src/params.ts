import { type BlockNumberOrTag, type Codec, DecodeError, t } from "@plinth/core";

/** Maximum number of transactions of a page, unless one block has more. */
export const MAX_PAGE_SIZE = 100;
const MAX_PAGE = 2 ** 31;
const QUANTITY = /^0x[0-9a-f]{1,13}$/i;

/** A JSON integer in every mode, or a quantity. */
function count({ min, max }: { readonly min: number; readonly max: number }): Codec<number> {
  return {
    decode(json, path = "") {
      const number = typeof json === "string" && QUANTITY.test(json) ? Number(json) : json;
      const isRight = typeof number === "number" && Number.isSafeInteger(number);
      if (isRight && number >= min && number <= max) return number;
      throw new DecodeError(path, `an integer from ${min} to ${max}`);
    },
    encode: (value) => value,
    schema: { type: "integer" },
  };
}

/** The number of a page, starting with 0. */
export const page = count({ min: 0, max: MAX_PAGE });
/** The number of transactions of a page. */
export const pageSize = count({ min: 1, max: MAX_PAGE_SIZE });
/** The nonce of a transaction, or the number of a block. */
export const number = count({ min: 0, max: Number.MAX_SAFE_INTEGER });

/** A block: a JSON integer in every mode, or what other methods accept. */
export const block: Codec<BlockNumberOrTag> = {
  ...t.blockNumber,
  decode: (json, path, reading) =>
    typeof json === "number" && Number.isSafeInteger(json) && json >= 0
      ? BigInt(json)
      : t.blockNumber.decode(json, path, reading),
};
