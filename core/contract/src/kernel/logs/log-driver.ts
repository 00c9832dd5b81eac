import { type Driver, defineDriverPoint } from "../drivers.js";
import type { LogLine } from "./log-line.js";

/** Writes log lines: to a service, to a file, in a form of its own. */
export interface LogDriver extends Driver {
  /** Called once, when all plugins are set up; lines written before are handed over then. */
  open(settings: LogDriverSettings): LogWriter;
}

/** What a log driver is opened with. */
export interface LogDriverSettings {
  /** The folder of the node's data. */
  readonly dataPath: string;
  /** Whether lines may be coloured. */
  readonly color: boolean;
}

/** Where lines go; their levels are chosen already. */
export interface LogWriter {
  write(line: LogLine): void;
  /** Called when the node has stopped: what is still held is written. */
  close?(): Promise<void>;
}

/** Where plugins put log drivers. */
export const logDrivers = defineDriverPoint<LogDriver>("log.driver", {
  option: "logging-driver",
  summary: "What writes log lines.",
});
