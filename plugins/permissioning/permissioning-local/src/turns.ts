/** Work that is done one after the other: both lists may be in one file. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs after everything that was asked for before, however that ended. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work, work);
    this.#last = done.catch(() => {});
    return done;
  }
}
