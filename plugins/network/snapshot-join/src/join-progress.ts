import type { Clock, Logger } from "@plinth/core";
import type { FileEntry } from "@plinth/kit-snapshot";

const EVERY_MS = 5_000;
const MIB = 2 ** 20;

/** Logs how much of a snapshot is read, how fast, and how long it will take. */
export class JoinProgress {
  readonly #total: number;
  readonly #log: Pick<Logger, "info">;
  readonly #clock: Pick<Clock, "now">;
  readonly #startedAt: number;
  #nextAt: number;
  /** Of files that are processed, and of those that an earlier start had processed. */
  #done = 0;
  #skipped = 0;
  #isStarted = false;

  constructor(
    files: readonly FileEntry[],
    { log, clock }: { readonly log: Pick<Logger, "info">; readonly clock: Pick<Clock, "now"> },
  ) {
    this.#total = bytesOf(files);
    this.#log = log;
    this.#clock = clock;
    this.#startedAt = clock.now();
    this.#nextAt = this.#startedAt + EVERY_MS;
  }

  /** Called when a file is taken; those before it in the list are done. */
  taken(file: FileEntry, files: readonly FileEntry[]): void {
    this.#done = bytesOf(files.slice(0, files.indexOf(file)));
    if (!this.#isStarted) this.#skipped = this.#done;
    this.#isStarted = true;
    const now = this.#clock.now();
    if (now < this.#nextAt) return;
    this.#nextAt = now + EVERY_MS;
    this.#log.info(this.#describe(now));
  }

  #describe(now: number): string {
    const seconds = (now - this.#startedAt) / 1000;
    const rate = (this.#done - this.#skipped) / seconds;
    const share = Math.floor((this.#done / this.#total) * 100);
    const left = rate > 0 ? `, about ${Math.ceil((this.#total - this.#done) / rate)} s left` : "";
    return `Joining by snapshot: ${mib(this.#done)} of ${mib(this.#total)} MiB (${share} %), ${mib(rate)} MiB/s${left}`;
  }
}

function bytesOf(files: readonly FileEntry[]): number {
  return files.reduce((sum, { compressedBytes }) => sum + compressedBytes, 0);
}

function mib(bytes: number): string {
  return (bytes / MIB).toFixed(1);
}
