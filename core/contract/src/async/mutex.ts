/** Runs work one piece at a time, in the order it was given. */
export class Mutex {
  #last: Promise<void> = Promise.resolve();

  /**
   * Runs after all work before it, however that ended.
   *
   * Never within this call: what the work reads can still be added to in the same turn.
   */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(() => work());
    this.#last = done.then(ignore, ignore);
    return done;
  }

  /** Resolves when all work so far has ended; never rejects. */
  idle(): Promise<void> {
    return this.#last;
  }
}

/** The caller of `run` gets the result, and the error. */
function ignore(): void {}
