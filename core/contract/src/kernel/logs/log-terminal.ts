import { styleText } from "node:util";
import { escapeControls } from "./escape-controls.js";
import { formatFields } from "./log-console.js";
import type { LogLine } from "./log-line.js";

/** Levels that are named, and what colour their lines have; a line without a level is worth reading as it is. */
const COLORS = { error: "red", warn: "yellow", debug: "cyan", trace: "gray" } as const;

/** The settings of the writer say whether there are colours, not the stream. */
const ALWAYS = { validateStream: false };

const HASH_OR_ADDRESS = /\b0x(?:[0-9a-f]{64}|[0-9a-f]{40})\b/gi;
const ADDRESS_LENGTH = 42;

/** `LEVEL message key=value`, for a person at a terminal: no time, no plugin, the level only when it is not INFO. */
export function formatTerminalLine(
  { level, plugin, message, fields }: LogLine,
  color: boolean,
): string {
  const text = escapeControls(message);
  const rest = formatFields(fields, color);
  if (level === "info") return `${color ? highlight(text) : text}${rest}\n`;
  const isForDevelopers = level === "debug" || level === "trace";
  const line = `${level.toUpperCase().padEnd(5)} ${isForDevelopers ? `${plugin} | ` : ""}${text}`;
  return `${color ? styleText(COLORS[level], line, ALWAYS) : line}${rest}\n`;
}

/** Addresses and hashes stand out. */
function highlight(text: string): string {
  return text.replace(HASH_OR_ADDRESS, (found) =>
    styleText(found.length === ADDRESS_LENGTH ? "cyan" : "magenta", found, ALWAYS),
  );
}
