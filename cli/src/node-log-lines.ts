import { mkdirSync } from "node:fs";
import { LateLogWriter, type LogWriter, logDrivers, type Node } from "@plinth/core";

/** The driver that the program itself is. */
const OWN = "plinth";

/** Where the log lines of a node go: to the terminal, or, once plugins are set up, to the driver of one. */
export class NodeLogLines {
  readonly writer: LogWriter;
  readonly #late: LateLogWriter | undefined;
  readonly #settings: { readonly loggingDriver: string; readonly dataPath: string; color: boolean };

  constructor(
    usual: LogWriter,
    settings: { readonly loggingDriver: string; readonly dataPath: string; color: boolean },
  ) {
    const isOwn = settings.loggingDriver.toLowerCase() === OWN;
    this.#late = isOwn ? undefined : new LateLogWriter(usual);
    this.writer = this.#late ?? usual;
    this.#settings = settings;
  }

  /** Runs a step before there is a driver; when it fails, its lines are written as usual. */
  async during<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      this.#late?.open();
      throw error;
    }
  }

  /** Hands the lines to the driver that was chosen. */
  open(node: Node): void {
    if (this.#late === undefined) return;
    const { loggingDriver, dataPath, color } = this.#settings;
    try {
      mkdirSync(dataPath, { recursive: true });
      this.#late.open(node.driver(logDrivers, loggingDriver).open({ dataPath, color }));
    } catch (error) {
      this.#late.open();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#late?.close();
  }
}
