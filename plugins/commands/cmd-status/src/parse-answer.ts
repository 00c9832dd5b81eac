import { escapeLine } from "@plinth/core/kernel";

/** Parses what a node sent; its texts end up in a terminal, which must not obey them. */
export function parseAnswer(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) =>
    typeof value === "string" ? escapeLine(value) : value,
  );
}
