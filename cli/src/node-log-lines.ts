import { mkdirSync } from "node:fs";
import { ConfigError, type LogDriver, logDrivers, messageOf } from "@plinth/core";
import type { LogDriverSettings, LogWriter } from "@plinth/core/kernel";
import type { Node } from "@plinth/node";
import { LateLogWriter } from "./late-log-writer.js";

/** The built-in log driver. */
export const OWN_DRIVER = "plinth";

/**
 * The destination of a node's log lines: the terminal, or, once plugins are set up, the driver of
 * one.
 */
export class NodeLogLines {
  readonly writer: LogWriter;
  readonly #late: LateLogWriter | undefined;
  readonly #settings: { readonly loggingDriver: string; readonly dataPath: string; color: boolean };

  constructor(
    usual: LogWriter,
    settings: { readonly loggingDriver: string; readonly dataPath: string; color: boolean },
  ) {
    const isOwn = settings.loggingDriver.toLowerCase() === OWN_DRIVER;
    this.#late = isOwn ? undefined : new LateLogWriter(usual);
    this.writer = this.#late ?? usual;
    this.#settings = settings;
  }

  /** Runs a step before there is a driver; if it fails, its lines are written by default. */
  async during<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      this.#late?.open();
      throw error;
    }
  }

  /** Passes the lines to the selected driver. */
  open(node: Node): void {
    if (this.#late === undefined) return;
    const { loggingDriver: name, dataPath, color } = this.#settings;
    try {
      const driver = node.driver(logDrivers, name);
      mkdirSync(dataPath, { recursive: true });
      this.#late.open(openDriver(driver, { dataPath, color }));
    } catch (error) {
      this.#late.open();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#late?.close();
  }
}

/** The writer of a driver; errors name it. */
function openDriver(driver: LogDriver, settings: LogDriverSettings): LogWriter {
  try {
    const writer: unknown = driver.open(settings);
    if (typeof Object(writer).write === "function") return writer as LogWriter;
    throw new TypeError("open returned no writer; expected an object with the method write");
  } catch (error) {
    throw new ConfigError("LOG_DRIVER_FAILED", {
      message: `the log driver "${driver.name}" cannot be opened: ${messageOf(error)}`,
      cause: error,
    });
  }
}
