import { type Codec, DecodeError, RpcError, t } from "@plinth/core";

const MAX_COUNT = 100;
const TEXT = "Invalid reward percentiles params";

/** Percentiles, as numbers or as text. */
export const percentiles: Codec<readonly number[]> = t.withText(
  {
    decode(json, path = "") {
      const values = t.array(percentile).decode(json, path);
      if (values.length <= MAX_COUNT) return values;
      throw new DecodeError(path, `at most ${MAX_COUNT} percentiles`);
    },
    encode: (values) => values,
    schema: { type: "array", items: { type: "number" } },
  },
  TEXT,
);

const percentile: Codec<number> = {
  decode(json, path = "") {
    const isText = typeof json === "string" && /^-?\d+(\.\d+)?$/.test(json);
    const value = isText ? Number(json) : json;
    if (typeof value === "number") return value;
    throw new DecodeError(path, "a number from 0 to 100");
  },
  encode: (value) => value,
  schema: { type: "number" },
};

/** The percentiles in ascending order: as given, or sorted if any order is accepted. */
export function inOrder(values: readonly number[], isAnyTaken: boolean): readonly number[] {
  if (isAnyTaken) return [...values].sort((a, b) => a - b);
  for (const [at, value] of values.entries()) {
    const expected = value < 0 || value > 100 ? "a number from 0 to 100" : "ascending order";
    if (expected === "ascending order" && value >= (values[at - 1] ?? 0)) continue;
    throw RpcError.invalidParams(`${TEXT}: percentiles[${at}]: expected ${expected}`);
  }
  return values;
}
