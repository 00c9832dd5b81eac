/** Background work that is reported when it fails and stopped with its plugin. */
export interface Tasks {
  /** Starts work immediately. It should end when the signal aborts. */
  run(name: string, task: (signal: AbortSignal) => Promise<void>): void;
}

/** A task that failed. */
export interface TaskFailure {
  readonly name: string;
  readonly error: unknown;
}

/** The tasks of one plugin. */
export class SupervisedTasks implements Tasks {
  readonly #signal: AbortSignal;
  readonly #failed: (failure: TaskFailure) => void;
  readonly #running = new Set<Promise<void>>();

  constructor(signal: AbortSignal, failed: (failure: TaskFailure) => void) {
    this.#signal = signal;
    this.#failed = failed;
  }

  run(name: string, task: (signal: AbortSignal) => Promise<void>): void {
    const work = this.#supervise(name, task);
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  /** Resolves when no task is running. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #supervise(name: string, task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    try {
      await task(this.#signal);
    } catch (error) {
      // An abort is the request to stop; ending with it is not a failure.
      if (!this.#signal.aborted) this.#failed({ name, error });
    }
  }
}
