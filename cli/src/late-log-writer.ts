import type { LogLine, LogWriter } from "@plinth/core/kernel";

/** How long a driver may take to flush. */
const LONGEST_CLOSE_MS = 5_000;

/**
 * A writer that buffers lines until another one is available, and continues without a failing one.
 */
export class LateLogWriter implements LogWriter {
  readonly #usual: LogWriter;
  readonly #longestCloseMs: number;
  readonly #held: LogLine[] = [];
  #writer: LogWriter | undefined;

  /** `usual` receives the lines if there is no other writer. */
  constructor(usual: LogWriter, { longestCloseMs = LONGEST_CLOSE_MS } = {}) {
    this.#usual = usual;
    this.#longestCloseMs = longestCloseMs;
  }

  /** Passes on the lines so far, and all later ones; by default to the usual writer. */
  open(writer: LogWriter = this.#usual): void {
    this.#writer = writer;
    for (const line of this.#held.splice(0)) this.write(line);
  }

  write(line: LogLine): void {
    const writer = this.#writer;
    if (writer === undefined) {
      this.#held.push(line);
      return;
    }
    try {
      // An async function is assignable to a void one; its failure would be logged, and fail again.
      const written: unknown = writer.write(line);
      if (written instanceof Promise) written.catch((error) => this.#failed(writer, line, error));
    } catch (error) {
      this.#failed(writer, line, error);
    }
  }

  /** Closes the driver; a failure or timeout is reported, and blocks nothing. */
  async close(): Promise<void> {
    if (this.#writer === undefined) this.open();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const problem = new Error(`it was not closed within ${this.#longestCloseMs} ms`);
      timer = setTimeout(() => reject(problem), this.#longestCloseMs);
    });
    try {
      await Promise.race([this.#writer?.close?.(), late]);
    } catch (error) {
      this.#report(error);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Continues without a failed writer; the current line is not lost. */
  #failed(writer: LogWriter, line: LogLine, error: unknown): void {
    if (this.#writer === writer) {
      this.#writer = this.#usual;
      this.#report(error);
    }
    this.#usual.write(line);
  }

  #report(error: unknown): void {
    const about = { time: new Date(), level: "error", plugin: "core" } as const;
    this.#usual.write({ ...about, message: "the log driver failed", fields: { error } });
  }
}
