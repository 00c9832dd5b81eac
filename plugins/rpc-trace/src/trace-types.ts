import { type Codec, DecodeError } from "@plinth/core";

const TYPES = ["trace", "vmTrace", "stateDiff"] as const;

/** Something to be told of a run. */
export type TraceType = (typeof TYPES)[number];

/** A list of what is to be told, in any letter case; nothing is fine, too. */
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
