import type { Clock, Logger } from "@plinth/core";
import type { FileEntry } from "@plinth/kit-snapshot";

const EVERY_MS = 5_000;
const MIB = 2 ** 20;

/** Logs how much of a snapshot is read, how fast, and how long it will take. */
export class JoinProgress {
  readonly #total: number;
  /** The bytes before each file. */
  readonly #before = new Map<FileEntry, number>();
  readonly #log: Pick<Logger, "info">;
  readonly #clock: Pick<Clock, "now">;
  readonly #startedAt: number;
  #nextAt: number;
  /** Bytes of files that are processed. */
  #done = 0;
  /** Bytes of files that an earlier start had processed. */
  #skipped: number | undefined;

  constructor(
    files: readonly FileEntry[],
    { log, clock }: { readonly log: Pick<Logger, "info">; readonly clock: Pick<Clock, "now"> },
  ) {
    let bytes = 0;
    for (const file of files) {
      this.#before.set(file, bytes);
      bytes += file.compressedBytes;
    }
    this.#total = bytes;
    this.#log = log;
    this.#clock = clock;
    this.#startedAt = clock.now();
    this.#nextAt = this.#startedAt + EVERY_MS;
  }

  /** Called when a file is taken; those before it in the list are done. */
  taken(file: FileEntry): void {
    this.#done = this.#before.get(file) ?? 0;
    this.#skipped ??= this.#done;
    const now = this.#clock.now();
    if (now < this.#nextAt) return;
    this.#nextAt = now + EVERY_MS;
    this.#log.info(this.#describe(now));
  }

  #describe(now: number): string {
    const seconds = (now - this.#startedAt) / 1000;
    const rate = (this.#done - (this.#skipped ?? 0)) / seconds;
    const share = Math.floor((this.#done / this.#total) * 100);
    const left = rate > 0 ? `, about ${Math.ceil((this.#total - this.#done) / rate)} s left` : "";
    return `Joining by snapshot: ${mib(this.#done)} of ${mib(this.#total)} MiB (${share} %), ${mib(rate)} MiB/s${left}`;
  }
}

function mib(bytes: number): string {
  return (bytes / MIB).toFixed(1);
}
