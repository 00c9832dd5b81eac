import { type Codec, DecodeError, t } from "@plinth/core";

const MAX_COUNT = 100;
const TEXT = "Invalid reward percentiles params";

/** Percentiles in ascending order, as numbers or as text. */
export const percentiles: Codec<readonly number[]> = t.withText(
  {
    decode(json, path = "") {
      const values = t.array(percentile).decode(json, path);
      const isAscending = values.every((value, at) => value >= (values[at - 1] ?? 0));
      if (values.length > MAX_COUNT || !isAscending) {
        throw new DecodeError(path, `at most ${MAX_COUNT} percentiles in ascending order`);
      }
      return values;
    },
    encode: (values) => values,
    schema: { type: "array", items: { type: "number" } },
  },
  TEXT,
);

const percentile: Codec<number> = {
  decode(json, path = "") {
    const isText = typeof json === "string" && /^\d+(\.\d+)?$/.test(json);
    const value = isText ? Number(json) : json;
    if (typeof value === "number" && value >= 0 && value <= 100) return value;
    throw new DecodeError(path, "a number from 0 to 100");
  },
  encode: (value) => value,
  schema: { type: "number" },
};
