import { inspect } from "node:util";
import { escapeControls, escapeLine } from "./escape-controls.js";
import type { LogFields, LogLine } from "./log-line.js";

const LABELS: Readonly<Record<LogLine["level"], { text: string; color: string }>> = {
  trace: { text: "TRACE", color: "\u001b[90m" },
  debug: { text: "DEBUG", color: "\u001b[36m" },
  info: { text: "INFO ", color: "\u001b[32m" },
  warn: { text: "WARN ", color: "\u001b[33m" },
  error: { text: "ERROR", color: "\u001b[31m" },
};
const RESET = "\u001b[0m";
const DIM = "\u001b[2m";

/** `time | main | LEVEL | plugin | message key=value`, the columns log tools look for. */
export function formatConsoleLine(line: LogLine, color: boolean): string {
  const label = LABELS[line.level];
  const level = color ? `${label.color}${label.text}${RESET}` : label.text;
  const message = escapeControls(line.message);
  const head = `${formatTime(line.time)} | main | ${level} | ${line.plugin} | ${message}`;
  return `${head}${formatFields(line.fields, color)}\n`;
}

/** ` key=value` of every field. */
export function formatFields(fields: LogFields, color: boolean): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => {
      const text = escapeControls(typeof value === "string" ? value : formatValue(value));
      const name = escapeLine(key);
      return color ? ` ${DIM}${name}=${RESET}${text}` : ` ${name}=${text}`;
    })
    .join("");
}

/** As JSON if possible: bigints and cycles have none, and a log line must never throw. */
function formatValue(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return inspect(value, { breakLength: Number.POSITIVE_INFINITY });
  }
}

/** `2026-01-31 08:15:02.123+01:00`, local time. */
function formatTime(date: Date): string {
  const pad = (value: number, width = 2) => String(value).padStart(width, "0");
  const offset = -date.getTimezoneOffset();
  const sign = offset < 0 ? "-" : "+";
  const zone = `${sign}${pad(Math.floor(Math.abs(offset) / 60))}:${pad(Math.abs(offset) % 60)}`;
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
  return `${day} ${time}.${pad(date.getMilliseconds(), 3)}${zone}`;
}
