import { RunTooLarge } from "@plinth/core/evm";

/**
 * Memory limit for the frames, the logs and the output of a run; gas alone is no limit where it is
 * free.
 */
export class MemoryBudget {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Throws `RunTooLarge` if it is exceeded. */
  take(bytes: number): void {
    if (this.#bytes + bytes > this.#maxBytes) throw new RunTooLarge(this.#maxBytes);
    this.#bytes += bytes;
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes;
  }
}
