import { inspect } from "node:util";
import type { LogFields, LogLine } from "./log-line.js";

/** One JSON object: level, time, plugin, the fields, and the message. */
export function formatJsonLine({ time, level, plugin, message, fields }: LogLine): string {
  const head = { level, time: time.toISOString(), plugin };
  // No field may replace a part of the line, or the line as a whole.
  const own = { ...head, toJSON: undefined, message };
  const stringify = (fields: LogFields) =>
    `${JSON.stringify({ ...head, ...fields, ...own }, amountsAsText)}\n`;
  try {
    return stringify(fields);
  } catch {
    // It is cyclic, or not serializable; a log line must never throw.
    return stringify(inspectAll(fields));
  }
}

function amountsAsText(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? value.toString() : value;
}

function inspectAll(fields: LogFields): LogFields {
  const shown = Object.entries(fields).map(([key, value]) => [
    key,
    typeof value === "string" ? value : inspect(value),
  ]);
  return Object.fromEntries(shown);
}
