import { PlinthError } from "@plinth/core";
import type { ImportOrigin, QueuePlace } from "@plinth/core/chain";

type Entry = () => Promise<void>;

/**
 * Proposals of this node have a deadline, announced blocks are the head of the chain, the rest is
 * history.
 */
const PRIORITIES: Readonly<Record<ImportOrigin, number>> = { own: 0, peer: 1, sync: 2, file: 2 };
const LEVELS = 3;

/** Maximum backlog; synchronization must not fill the memory with blocks. */
export const MAX_QUEUED = 256;
export const MAX_QUEUED_BYTES = 128 * 2 ** 20;

/** Runs one piece of work at a time: by priority, and among equals in order of arrival. */
export class ImportQueue {
  readonly #waiting: Entry[][] = Array.from({ length: LEVELS }, () => []);
  #isBusy = false;
  #bytes = 0;

  /** Size of the backlog. */
  get size(): number {
    return this.#waiting.reduce((sum, level) => sum + level.length, 0);
  }

  /**
   * Runs work in turn.
   *
   * Rejects with `IMPORT_QUEUE_FULL` if the backlog is too large, but never for this node's own
   * blocks.
   */
  run<T>({ origin, signal, bytes = 0 }: QueuePlace, work: () => Promise<T>): Promise<T> {
    const level = this.#waiting[PRIORITIES[origin]];
    if (level === undefined) {
      const known = Object.keys(PRIORITIES).join(", ");
      return Promise.reject(new TypeError(`unknown origin ${origin}; expected ${known}`));
    }
    // A single block may be larger.
    const isTooLarge = this.size > 0 && this.#bytes + bytes > MAX_QUEUED_BYTES;
    if (origin !== "own" && (this.size >= MAX_QUEUED || isTooLarge)) {
      return Promise.reject(
        new PlinthError("IMPORT_QUEUE_FULL", {
          message: `the import queue is full (${this.size} blocks, ${this.#bytes} bytes); try again when some of them are imported`,
        }),
      );
    }
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason);
        return;
      }
      const leave = () => {
        level.splice(level.indexOf(entry), 1);
        this.#bytes -= bytes;
        reject(signal?.reason);
      };
      const entry = () => {
        this.#bytes -= bytes;
        signal?.removeEventListener("abort", leave);
        return work().then(resolve, reject);
      };
      level.push(entry);
      this.#bytes += bytes;
      signal?.addEventListener("abort", leave, { once: true });
      if (!this.#isBusy) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    for (;;) {
      const next = this.#waiting.find((level) => level.length > 0)?.shift();
      if (next === undefined) break;
      await next();
    }
    this.#isBusy = false;
  }
}
