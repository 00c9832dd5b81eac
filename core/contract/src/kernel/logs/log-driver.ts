import { type Driver, defineDriverPoint } from "../drivers.js";
import type { LogLine } from "./log-line.js";

/** Writes log lines: to a service, to a file, in its own format. */
export interface LogDriver extends Driver {
  /** Called once, when all plugins are set up; earlier lines are passed on then. */
  open(settings: LogDriverSettings): LogWriter;
}

/** The context a log driver is opened with. */
export interface LogDriverSettings {
  /** The data folder of the node. */
  readonly dataPath: string;
  /** Whether lines may be colored. */
  readonly color: boolean;
}

/** The destination of lines, already filtered by level. */
export interface LogWriter {
  write(line: LogLine): void;
  /** Called when the node has stopped: flushes buffered lines. */
  close?(): Promise<void>;
}

/** The contribution point of log drivers. */
export const logDrivers = defineDriverPoint<LogDriver>("log.driver", {
  option: "logging-driver",
  summary: "Writes log lines.",
});
