import { existsSync } from "node:fs";
import type { Clock, Health, Logger } from "@plinth/core";
import { showProblem } from "./check-open.js";
import { checkTable, type FileProblem } from "./files/check-folder.js";

/** Time slice before a pause, and the factor of the pause: a tenth of one core. */
const WORK_MS = 10;
const PAUSE_FACTOR = 9;
const MAX_SHOWN = 3;

/** Reads, while the node runs, the tables that a start skipped because of their size. */
export class TableCheck {
  readonly #waiting: string[] = [];
  readonly #problems: FileProblem[] = [];
  #total = 0;

  /** Adds a table that has not been read completely. */
  add(path: string): void {
    this.#waiting.push(path);
    this.#total += 1;
  }

  /** `degraded` if a table is damaged; reports the progress while it runs. */
  health(): Health {
    if (this.#problems.length > 0) {
      const shown = this.#problems.slice(0, MAX_SHOWN).map(showProblem).join("; ");
      return { status: "degraded", detail: `${shown}. Stop the node and run: plinth db repair` };
    }
    const done = this.#total - this.#waiting.length;
    const isRunning = this.#waiting.length > 0;
    return {
      status: "up",
      ...(isRunning ? { detail: `${done} of ${this.#total} skipped tables checked` } : {}),
    };
  }

  /** Runs until every table is read or the signal aborts. */
  async run(
    { clock, log }: { readonly clock: Clock; readonly log: Logger },
    signal: AbortSignal,
  ): Promise<void> {
    if (this.#total === 0) return;
    log.info(`checking ${this.#total} tables of the database in the background`);
    for (let path = this.#waiting.at(-1); path !== undefined; path = this.#waiting.at(-1)) {
      log.debug(`checking the table ${path}`);
      await this.#check(path, { clock, log }, signal);
      this.#waiting.pop();
    }
    log.info(`checked ${this.#total} tables of the database: ${this.#problems.length} problems`);
  }

  async #check(
    path: string,
    { clock, log }: { readonly clock: Clock; readonly log: Logger },
    signal: AbortSignal,
  ): Promise<void> {
    let resumedAt = performance.now();
    for await (const problem of checkTable(path, "sums")) {
      // Unless a compaction has replaced the table.
      if (problem !== undefined && existsSync(path)) {
        this.#problems.push(problem);
        log.error(`the database is damaged: ${showProblem(problem)}`);
      }
      const workMs = performance.now() - resumedAt;
      if (workMs < WORK_MS && !signal.aborted) continue;
      await clock.sleep(workMs * PAUSE_FACTOR, signal);
      resumedAt = performance.now();
    }
  }
}
