import { type Codec, DecodeError } from "@plinth/core";

const TYPES = ["trace", "vmTrace", "stateDiff"] as const;

/** A kind of trace. */
export type TraceType = (typeof TYPES)[number];

/** A list of trace types, in any letter case; it may be empty. */
export const traceTypes: Codec<ReadonlySet<TraceType>> = {
  decode(json, path = "") {
    if (!Array.isArray(json)) throw wrong(path, "a list");
    return new Set(json.map((item, index) => readType(item, `${path}[${index}]`)));
  },
  encode: (value) => [...value],
  schema: { type: "array", items: { enum: TYPES } },
};

function readType(json: unknown, path: string): TraceType {
  const type = TYPES.find((known) => known.toLowerCase() === String(json).toLowerCase());
  if (typeof json !== "string" || type === undefined) throw wrong(path, TYPES.join(", "));
  return type;
}

function wrong(path: string, expected: string): DecodeError {
  return new DecodeError(path, expected, "Invalid trace type params");
}
