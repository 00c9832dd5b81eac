import type { Logger as PinoLogger } from "pino";
import { messageOf } from "./errors.js";
import { consoleStream } from "./log-console.js";

/** How much is said. `off` says nothing. */
export type LogLevel = "off" | "error" | "warn" | "info" | "debug" | "trace";

/** What a line is about, beside its message. */
export type LogFields = Readonly<Record<string, unknown>>;

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

/** How lines look: columns for people, or one JSON object per line. */
export type LogFormat = "console" | "json";

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
}

/** Loggers that write nothing, for programs that want none. */
export const silentLogs: Logs = {
  for: () => silentLogger,
  setLevel: () => {},
  levelOf: () => "off",
};

const silentLogger: Logger = {
  error: () => {},
  warn: () => {},
  info: () => {},
  debug: () => {},
  trace: () => {},
  isEnabled: () => false,
};

/** Loggers over pino, which is loaded here so that programs without logs do not pay for it. */
export async function createLogs(settings: LogSettings): Promise<Logs> {
  const { pino } = await import("pino");
  const root = pino(
    {
      level: "trace",
      base: null,
      messageKey: "message",
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    settings.format === "json" ? { write: settings.write } : consoleStream(settings),
  );
  const loggers = new Map<string, PinoLogger>();
  const levels = new Map<string, LogLevel>();
  let level = settings.level;
  const levelOf = (name: string) => levels.get(name) ?? level;
  return {
    for(name) {
      const inner =
        loggers.get(name) ?? root.child({ plugin: name }, { level: toPino(levelOf(name)) });
      loggers.set(name, inner);
      return wrap(inner);
    },
    setLevel(next, name) {
      if (name === undefined) {
        level = next;
        levels.clear();
      } else levels.set(name, next);
      for (const [key, logger] of loggers) logger.level = toPino(levelOf(key));
    },
    levelOf,
  };
}

function wrap(inner: PinoLogger): Logger {
  return {
    error: (message, fields) => inner.error(plain(fields), message),
    warn: (message, fields) => inner.warn(plain(fields), message),
    info: (message, fields) => inner.info(plain(fields), message),
    debug: (message, fields) => inner.debug(plain(fields), message),
    trace: (message, fields) => inner.trace(plain(fields), message),
    isEnabled: (level) => inner.isLevelEnabled(level),
  };
}

/** Amounts are bigint everywhere, and JSON has none. */
function plain(fields: LogFields | undefined): Record<string, unknown> {
  if (fields === undefined) return {};
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => {
      if (typeof value === "bigint") return [key, value.toString()];
      if (value instanceof Error) return [key, describeError(value)];
      return [key, value];
    }),
  );
}

/** The stack of an error, and of what caused it. */
function describeError(error: Error): string {
  const { cause } = error;
  const own = error.stack ?? messageOf(error);
  return cause instanceof Error ? `${own}\ncaused by ${describeError(cause)}` : own;
}

const toPino = (level: LogLevel) => (level === "off" ? "silent" : level);
