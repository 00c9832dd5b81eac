/** How much is said. `off` says nothing. */
export type LogLevel = "off" | "error" | "warn" | "info" | "debug" | "trace";

/** What a line is about, beside its message. */
export type LogFields = Readonly<Record<string, unknown>>;

/** A line before it has a form. */
export interface LogLine {
  readonly time: Date;
  readonly level: Exclude<LogLevel, "off">;
  readonly plugin: string;
  readonly message: string;
  readonly fields: LogFields;
}
