import type { SealedHeader } from "@plinth/core";

/** Lets any number of readers follow the head of the chain. */
export class HeadFeed {
  readonly #head: () => SealedHeader;
  readonly #waiting = new Set<() => void>();

  constructor(head: () => SealedHeader) {
    this.#head = head;
  }

  /** Wakes the readers: the head has changed. */
  announce(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Yields the head and then each later one until the signal aborts; a slow reader gets the latest only. */
  async *follow(signal: AbortSignal): AsyncGenerator<SealedHeader, undefined> {
    let last: SealedHeader | undefined;
    while (!signal.aborted) {
      const head = this.#head();
      if (head.hash === last?.hash) {
        await this.#wait(signal);
        continue;
      }
      last = head;
      yield head;
    }
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener("abort", wake);
    });
  }
}
