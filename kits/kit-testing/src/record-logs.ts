import type { LogFields, Logger } from "@plinth/core";
import type { LogLevel, Logs } from "@plinth/core/kernel";

/** A logged line. */
export interface LogEntry {
  readonly logger: string;
  readonly level: Exclude<LogLevel, "off">;
  readonly message: string;
  readonly fields: LogFields;
}

/** Loggers that record their lines, for tests to inspect; `written` is called after each. */
export function recordLogs(
  written: () => void = () => {},
): Logs & { readonly entries: readonly LogEntry[] } {
  const entries: LogEntry[] = [];
  const loggerOf = (logger: string): Logger => {
    const write =
      (level: LogEntry["level"]) =>
      (message: string, fields: LogFields = {}) => {
        entries.push({ logger, level, message, fields });
        written();
      };
    return {
      error: write("error"),
      warn: write("warn"),
      info: write("info"),
      debug: write("debug"),
      trace: write("trace"),
      isEnabled: () => true,
    };
  };
  return { entries, for: loggerOf, setLevel: () => {}, levelOf: () => "trace", names: () => [] };
}
