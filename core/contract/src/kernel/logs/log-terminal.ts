import { styleText } from "node:util";
import { escapeControls } from "./escape-controls.js";
import { formatFields } from "./log-console.js";
import type { LogLine } from "./log-line.js";

/** Levels that are shown, and the color of their lines; INFO is not shown. */
const COLORS = { error: "red", warn: "yellow", debug: "cyan", trace: "gray" } as const;

/** Colors depend on the settings of the writer, not on the stream. */
const ALWAYS = { validateStream: false };

const HASH_OR_ADDRESS = /\b0x(?:[0-9a-f]{64}|[0-9a-f]{40})\b/gi;
const ADDRESS_LENGTH = 42;

/**
 * `LEVEL message key=value`, for a terminal: no time, no plugin, the level only if it is not INFO.
 */
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

/** Highlights addresses and hashes. */
function highlight(text: string): string {
  return text.replace(HASH_OR_ADDRESS, (found) =>
    styleText(found.length === ADDRESS_LENGTH ? "cyan" : "magenta", found, ALWAYS),
  );
}
