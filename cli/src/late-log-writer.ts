import type { LogLine, LogWriter } from "@plinth/core/kernel";

/** How long a driver may take to write what it still holds. */
const LONGEST_CLOSE_MS = 5_000;

/** A writer that holds lines until another one is there, and goes on without one that fails. */
export class LateLogWriter implements LogWriter {
  readonly #usual: LogWriter;
  readonly #longestCloseMs: number;
  readonly #held: LogLine[] = [];
  #writer: LogWriter | undefined;

  /** `usual` takes the lines when there is no other writer. */
  constructor(usual: LogWriter, { longestCloseMs = LONGEST_CLOSE_MS } = {}) {
    this.#usual = usual;
    this.#longestCloseMs = longestCloseMs;
  }

  /** Hands over the lines so far, and all that follow; to the usual writer when none is given. */
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
      // An async function fits where nothing is returned; its failure would be logged, and fail again.
      const written: unknown = writer.write(line);
      if (written instanceof Promise) written.catch((error) => this.#failed(writer, line, error));
    } catch (error) {
      this.#failed(writer, line, error);
    }
  }

  /** Closes the driver; one that fails or takes too long is named, and holds nothing up. */
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

  /** Goes on without a writer that failed; the line that it failed with is not lost. */
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
