import { type Driver, defineDriverPoint } from "./drivers.js";
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

/** A writer that holds lines until another one is there, and goes on without one that fails. */
export class LateLogWriter implements LogWriter {
  readonly #usual: LogWriter;
  readonly #held: LogLine[] = [];
  #writer: LogWriter | undefined;

  /** `usual` takes the lines when there is no other writer. */
  constructor(usual: LogWriter) {
    this.#usual = usual;
  }

  /** Hands over the lines so far, and all that follow; to the usual writer when none is given. */
  open(writer: LogWriter = this.#usual): void {
    this.#writer = writer;
    for (const line of this.#held.splice(0)) this.write(line);
  }

  write(line: LogLine): void {
    if (this.#writer === undefined) {
      this.#held.push(line);
      return;
    }
    try {
      this.#writer.write(line);
    } catch (error) {
      const failed = { ...line, level: "error", message: "the log driver failed" } as const;
      this.#usual.write({ ...failed, plugin: "core", fields: { error } });
      this.#writer = this.#usual;
      this.#usual.write(line);
    }
  }

  async close(): Promise<void> {
    if (this.#writer === undefined) this.open();
    await this.#writer?.close?.();
  }
}
