/** The log level. `off` disables logging. */
export type LogLevel = "off" | "error" | "warn" | "info" | "debug" | "trace";

/** The fields of a line, besides its message. */
export type LogFields = Readonly<Record<string, unknown>>;

/** A line before formatting. */
export interface LogLine {
  readonly time: Date;
  readonly level: Exclude<LogLevel, "off">;
  readonly plugin: string;
  readonly message: string;
  readonly fields: LogFields;
}
