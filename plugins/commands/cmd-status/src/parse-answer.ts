import { escapeLine } from "@plinth/core/kernel";

/** Parses a response of a node; its texts must not control the terminal they end up in. */
export function parseAnswer(text: string): unknown {
  return JSON.parse(text, (_, value: unknown) =>
    typeof value === "string" ? escapeLine(value) : value,
  );
}
