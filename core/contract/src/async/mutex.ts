/** Runs work one piece at a time, in submission order. */
export class Mutex {
  #last: Promise<void> = Promise.resolve();

  /**
   * Runs `work` once all earlier work has settled.
   *
   * Never runs it synchronously: the caller can still change what the work reads in the same tick.
   */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#last.then(() => work());
    this.#last = done.then(ignore, ignore);
    return done;
  }

  /** Resolves once all work so far has settled; never rejects. */
  idle(): Promise<void> {
    return this.#last;
  }
}

/** The caller of `run` receives the result or the error. */
function ignore(): void {}
