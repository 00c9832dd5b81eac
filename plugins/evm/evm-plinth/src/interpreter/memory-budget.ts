import { RunTooLarge } from "@plinth/core/evm";

/** What the frames, the logs and the output of a run may take together; gas alone is no bound where it is free. */
export class MemoryBudget {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Throws `RunTooLarge` where there is not as much left. */
  take(bytes: number): void {
    if (this.#bytes + bytes > this.#maxBytes) throw new RunTooLarge(this.#maxBytes);
    this.#bytes += bytes;
  }

  giveBack(bytes: number): void {
    this.#bytes -= bytes;
  }
}
