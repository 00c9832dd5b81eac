import { type Address, type BlockNumberOrTag, type Codec, DecodeError, t } from "@plinth/core";

/** A filter for traces. */
export interface TraceQuery {
  readonly fromBlock: BlockNumberOrTag;
  readonly toBlock: BlockNumberOrTag;
  /** Any of them; an empty list matches every address. */
  readonly fromAddress: readonly Address[];
  readonly toAddress: readonly Address[];
  /** Number of matches to skip. */
  readonly after: number;
  /** Maximum number of matches; all by default. */
  readonly count: number | undefined;
}

/** A number of traces: a JSON integer, or text in hex or decimal. */
const amount: Codec<number> = {
  decode(json, path = "") {
    const isText = typeof json === "string" && /^(\d{1,15}|0x[0-9a-f]{1,12})$/i.test(json);
    const number = isText ? Number(json) : json;
    if (typeof number === "number" && Number.isSafeInteger(number) && number >= 0) return number;
    throw new DecodeError(path, "a non-negative number");
  },
  encode: (value) => value,
  schema: { type: "integer" },
};

/** A filter object. */
export const traceQuery: Codec<TraceQuery> = t.withText(
  t.object({
    fromBlock: t.optional(t.blockNumber, "latest"),
    toBlock: t.optional(t.blockNumber, "latest"),
    fromAddress: t.optional(t.array(t.address), []),
    toAddress: t.optional(t.array(t.address), []),
    after: t.optional(amount, 0),
    count: t.optional(amount),
  }),
  "Invalid filter params",
);
