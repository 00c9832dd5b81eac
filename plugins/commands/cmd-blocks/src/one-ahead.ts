/** Lets work overlap with the one before it, and with no more. */
export class OneAhead {
  #last: Promise<void> = Promise.resolve();
  #next: Promise<void> = Promise.resolve();

  /** Begins; resolves when the work before it is done, and rejects when that failed. */
  async push(work: () => Promise<void>): Promise<void> {
    this.#last = this.#next;
    this.#next = work();
    // The next push, or drain, rethrows it.
    this.#next.catch(() => {});
    await this.#last;
  }

  /** Waits for the last work; rejects when it failed. */
  async drain(): Promise<void> {
    await this.#next;
  }

  /** Waits until nothing is under way any more, however it ends. */
  async settle(): Promise<void> {
    await Promise.allSettled([this.#last, this.#next]);
  }
}
