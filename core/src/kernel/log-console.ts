import { inspect } from "node:util";
import type { DestinationStream, Logger as PinoLogger } from "pino";

/** Where lines go and whether they are coloured. */
export interface ConsoleSettings {
  readonly color: boolean;
  write(line: string): void;
}

const LABELS: Readonly<Record<number, { text: string; color: string }>> = {
  10: { text: "TRACE", color: "\u001b[90m" },
  20: { text: "DEBUG", color: "\u001b[36m" },
  30: { text: "INFO ", color: "\u001b[32m" },
  40: { text: "WARN ", color: "\u001b[33m" },
  50: { text: "ERROR", color: "\u001b[31m" },
};
const RESET = "\u001b[0m";
const DIM = "\u001b[2m";

/** C0, C1 and marks that change the direction of text, but no line breaks and tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** With this mark pino hands over the parts of a line, so that nothing has to be parsed back. */
const METADATA = Symbol.for("pino.metadata");

/** Lines as `time | main | LEVEL | plugin | message key=value`, the columns log tools look for. */
export function consoleStream({ color, write }: ConsoleSettings): DestinationStream {
  const stream = {
    [METADATA]: true,
    lastLevel: 30,
    lastMsg: "",
    lastObj: {} as Record<string, unknown>,
    lastLogger: undefined as PinoLogger | undefined,
    write() {
      const label = LABELS[stream.lastLevel] ?? { text: "INFO ", color: "" };
      const plugin = String(stream.lastLogger?.bindings().plugin ?? "plinth");
      const level = color ? `${label.color}${label.text}${RESET}` : label.text;
      const message = escapeControls(stream.lastMsg);
      const head = `${formatTime(new Date())} | main | ${level} | ${plugin} | ${message}`;
      write(`${head}${formatFields(stream.lastObj, color)}\n`);
    },
  };
  return stream;
}

function formatFields(fields: Record<string, unknown>, color: boolean): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => {
      const text = escapeControls(typeof value === "string" ? value : formatValue(value));
      return color ? ` ${DIM}${key}=${RESET}${text}` : ` ${key}=${text}`;
    })
    .join("");
}

/**
 * Writes control characters as `\\u001b`.
 *
 * Contracts, peers and callers choose parts of what is logged; a terminal would obey them.
 * Line breaks and tabs stay: stacks of errors have them.
 */
function escapeControls(text: string): string {
  return text.replace(
    CONTROLS,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** As JSON where there is any: amounts and circles have none, and a log line must never throw. */
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
