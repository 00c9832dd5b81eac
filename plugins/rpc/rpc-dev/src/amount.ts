import { type Codec, DecodeError } from "@plinth/core";
import { MAX_UINT64, MAX_UINT256 } from "@plinth/core/blocks";

/**
 * A number up to `max` as test tools write it: a JSON number, decimal digits, or hex with or
 * without leading zeros.
 */
export function amountUpTo(max: bigint): Codec<bigint> {
  return {
    decode(json, path = "") {
      const value = findAmount(json);
      if (value === undefined) throw new DecodeError(path, "a number such as 31 or 0x1f");
      if (value > max) throw new DecodeError(path, `at most ${max}, not ${value}`);
      return value;
    },
    encode: (value) => `0x${value.toString(16)}`,
    schema: { type: ["integer", "string"] },
  };
}

/** A number of at most 256 bits. */
export const amount = amountUpTo(MAX_UINT256);
/** A time or duration in seconds, of at most 64 bits. */
export const seconds = amountUpTo(MAX_UINT64);

function findAmount(json: unknown): bigint | undefined {
  if (typeof json === "number") {
    return Number.isSafeInteger(json) && json >= 0 ? BigInt(json) : undefined;
  }
  const isNumber = typeof json === "string" && /^(\d{1,78}|0x[0-9a-f]{1,64})$/i.test(json);
  return isNumber ? BigInt(json) : undefined;
}
