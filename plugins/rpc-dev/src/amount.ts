import { type Codec, DecodeError } from "@plinth/core";

/** A number as test tools write it: a JSON number, decimal digits, or hex with or without leading zeros. */
export const amount: Codec<bigint> = {
  decode(json, path = "") {
    if (typeof json === "number" && Number.isSafeInteger(json) && json >= 0) return BigInt(json);
    if (typeof json === "string" && /^(\d{1,78}|0x[0-9a-f]{1,64})$/i.test(json))
      return BigInt(json);
    throw new DecodeError(path, "a number such as 31 or 0x1f");
  },
  encode: (value) => `0x${value.toString(16)}`,
  schema: { type: ["integer", "string"] },
};
