import type { SealedHeader } from "@plinth/core";
import { Signal } from "@plinth/core/async";

/** Lets any number of readers follow the head of the chain. */
export class HeadFeed {
  readonly #head: () => SealedHeader;
  readonly #changed = new Signal();

  constructor(head: () => SealedHeader) {
    this.#head = head;
  }

  /** Wakes the readers: the head has changed. */
  announce(): void {
    this.#changed.notify();
  }

  /**
   * Yields the head and then each later one until the signal aborts; a slow reader gets only the
   * latest.
   */
  async *follow(signal: AbortSignal): AsyncGenerator<SealedHeader, undefined> {
    let last: SealedHeader | undefined;
    while (!signal.aborted) {
      const head = this.#head();
      if (head.hash === last?.hash) {
        await this.#changed.nextWithin({ signal });
        continue;
      }
      last = head;
      yield head;
    }
  }
}
