/** Lets a task overlap with its predecessor, but with no other. */
export class OneAhead {
  #last: Promise<void> = Promise.resolve();
  #next: Promise<void> = Promise.resolve();

  /** Starts a task; resolves when its predecessor is done, and rejects if that failed. */
  async push(work: () => Promise<void>): Promise<void> {
    this.#last = this.#next;
    this.#next = work();
    // The next push, or drain, rethrows it.
    this.#next.catch(() => {});
    await this.#last;
  }

  /** Waits for the last task; rejects if it failed. */
  async drain(): Promise<void> {
    await this.#next;
  }

  /** Waits until no task is in progress, regardless of the outcome. */
  async settle(): Promise<void> {
    await Promise.allSettled([this.#last, this.#next]);
  }
}
