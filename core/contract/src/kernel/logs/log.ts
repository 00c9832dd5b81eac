import { messageOf } from "../errors.js";
import { formatConsoleLine } from "./log-console.js";
import type { LogWriter } from "./log-driver.js";
import { formatJsonLine } from "./log-json.js";
import type { LogFields, LogLevel, LogLine } from "./log-line.js";
import { formatTerminalLine } from "./log-terminal.js";

/** The logger of a plugin. */
export interface Logger {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  trace(message: string, fields?: LogFields): void;
  /** Whether a line of this level would be written. For fields that are costly to compute. */
  isEnabled(level: Exclude<LogLevel, "off">): boolean;
}

/** The log format: columns for people, one JSON object per line, or short lines for a terminal. */
export const LOG_FORMATS = ["console", "json", "terminal"] as const;

/** One of them. */
export type LogFormat = (typeof LOG_FORMATS)[number];

/** The settings of the logs of a node. */
export interface LogSettings {
  readonly level: LogLevel;
  readonly format: LogFormat;
  readonly color: boolean;
  /** Receives whole lines, each with its line end. */
  write(line: string): void;
}

/** The loggers of a node, one per plugin, with levels that can change at runtime. */
export interface Logs {
  for(name: string): Logger;
  /** Sets the level of one logger, or of all; it also applies to loggers created later. */
  setLevel(level: LogLevel, name?: string): void;
  levelOf(name: string): LogLevel;
  /** The existing loggers. */
  names(): readonly string[];
}

/** Loggers that write nothing. */
export const silentLogs: Logs = {
  for: () => silentLogger,
  setLevel: () => {},
  levelOf: () => "off",
  names: () => [],
};

const silentLogger: Logger = {
  error: () => {},
  warn: () => {},
  info: () => {},
  debug: () => {},
  trace: () => {},
  isEnabled: () => false,
};

/** A line is written if its level ranks no higher than that of the logger. */
const RANKS: Readonly<Record<LogLevel, number>> = {
  off: 0,
  error: 1,
  warn: 2,
  info: 3,
  debug: 4,
  trace: 5,
};

const FORMATTERS: Readonly<Record<LogFormat, (line: LogLine, color: boolean) => string>> = {
  console: formatConsoleLine,
  json: formatJsonLine,
  terminal: formatTerminalLine,
};

/** Loggers that write whole lines in the configured format. */
export function createLogs({ level, ...settings }: LogSettings): Logs {
  return createLogsTo(createLogWriter(settings), level);
}

/** Writes whole lines in one of the built-in formats. */
export function createLogWriter({ format, color, write }: Omit<LogSettings, "level">): LogWriter {
  const formatLine = FORMATTERS[format];
  return { write: (line) => write(formatOrExplain(line, (each) => formatLine(each, color))) };
}

/** Loggers whose lines go to a writer. */
export function createLogsTo(writer: LogWriter, usualLevel: LogLevel): Logs {
  const levels = new Map<string, LogLevel>();
  const names = new Set<string>();
  let level = usualLevel;
  const levelOf = (name: string) => levels.get(name) ?? level;
  return {
    for(name) {
      names.add(name);
      return createLogger(
        name,
        () => levelOf(name),
        (line) => writer.write(line),
      );
    },
    setLevel(next, name) {
      if (name === undefined) {
        level = next;
        levels.clear();
      } else levels.set(name, next);
    },
    levelOf,
    names: () => [...names],
  };
}

function createLogger(
  plugin: string,
  levelOf: () => LogLevel,
  write: (line: LogLine) => void,
): Logger {
  const isEnabled = (level: LogLevel) => RANKS[level] <= RANKS[levelOf()];
  const writer = (level: LogLine["level"]) => (message: string, fields?: LogFields) => {
    if (!isEnabled(level)) return;
    write({ time: new Date(), level, plugin, message: String(message), fields: fields ?? {} });
  };
  return {
    error: writer("error"),
    warn: writer("warn"),
    info: writer("info"),
    debug: writer("debug"),
    trace: writer("trace"),
    isEnabled,
  };
}

/** Formatting must never throw: it would hide the fault being logged. */
function formatOrExplain(line: LogLine, format: (line: LogLine) => string): string {
  try {
    return format({ ...line, fields: plain(line.fields) });
  } catch (error) {
    return format({ ...line, fields: { unreadable: `the fields: ${messageOf(error)}` } });
  }
}

/** Amounts are bigints, which JSON lacks. */
function plain(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => {
      if (typeof value === "bigint") return [key, value.toString()];
      if (value instanceof Error) return [key, describeError(value)];
      return [key, value];
    }),
  );
}

/** An error may be its own cause, in a cycle. */
const MAX_CAUSES = 10;

/** The stack of an error and of its causes. */
function describeError(error: Error, depth = 0): string {
  const { cause } = error;
  const own = error.stack ?? messageOf(error);
  if (!(cause instanceof Error) || depth === MAX_CAUSES) return own;
  return `${own}\ncaused by ${describeError(cause, depth + 1)}`;
}
