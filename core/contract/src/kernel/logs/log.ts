import { messageOf } from "../errors.js";
import { formatConsoleLine } from "./log-console.js";
import type { LogWriter } from "./log-driver.js";
import { formatJsonLine } from "./log-json.js";
import type { LogFields, LogLevel, LogLine } from "./log-line.js";
import { formatTerminalLine } from "./log-terminal.js";

/** Where a plugin writes its log lines. */
export interface Logger {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  trace(message: string, fields?: LogFields): void;
  /** Would a line of this level be written? For fields that are costly to make. */
  isEnabled(level: Exclude<LogLevel, "off">): boolean;
}

/** How lines look: columns for people, one JSON object per line, or as short as a terminal wants them. */
export const LOG_FORMATS = ["console", "json", "terminal"] as const;

/** One of them. */
export type LogFormat = (typeof LOG_FORMATS)[number];

/** What the logs of a node are made with. */
export interface LogSettings {
  readonly level: LogLevel;
  readonly format: LogFormat;
  readonly color: boolean;
  /** Takes whole lines, each with its line end. */
  write(line: string): void;
}

/** The loggers of a node, one per plugin, with levels that can change while it runs. */
export interface Logs {
  for(name: string): Logger;
  /** Sets the level of one logger, or of all; it holds for those still to be made, too. */
  setLevel(level: LogLevel, name?: string): void;
  levelOf(name: string): LogLevel;
  /** The loggers that there are. */
  names(): readonly string[];
}

/** Loggers that write nothing, for programs that want none. */
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

/** A line is written when its level ranks no higher than that of the logger. */
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

/** Loggers that write whole lines in the form that the settings ask for. */
export function createLogs({ level, ...settings }: LogSettings): Logs {
  return createLogsTo(createLogWriter(settings), level);
}

/** Writes whole lines in one of the forms that the core has. */
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

/** A line must never throw: it would hide the fault that it is about. */
function formatOrExplain(line: LogLine, format: (line: LogLine) => string): string {
  try {
    return format({ ...line, fields: plain(line.fields) });
  } catch (error) {
    return format({ ...line, fields: { unreadable: `the fields: ${messageOf(error)}` } });
  }
}

/** Amounts are bigint everywhere, and JSON has none. */
function plain(fields: LogFields): LogFields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => {
      if (typeof value === "bigint") return [key, value.toString()];
      if (value instanceof Error) return [key, describeError(value)];
      return [key, value];
    }),
  );
}

/** An error may be its own cause, in a circle. */
const MAX_CAUSES = 10;

/** The stack of an error, and of what caused it. */
function describeError(error: Error, depth = 0): string {
  const { cause } = error;
  const own = error.stack ?? messageOf(error);
  if (!(cause instanceof Error) || depth === MAX_CAUSES) return own;
  return `${own}\ncaused by ${describeError(cause, depth + 1)}`;
}
