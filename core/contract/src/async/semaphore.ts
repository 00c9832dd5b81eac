/** Limits concurrency; callers above the limit wait in order. */
export class Semaphore {
  readonly #count: number;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#count = count;
    this.#free = count;
  }

  /** Number of running and waiting callers. */
  get size(): number {
    return this.#count - this.#free + this.#waiting.length;
  }

  /** Runs work, immediately if a permit is free. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#take()) await this.#wait();
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  /** Acquires a permit; the caller must release it. */
  async acquire(): Promise<void> {
    if (!this.#take()) await this.#wait();
  }

  /** Releases a permit: the next waiting caller gets it, before any later one. */
  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }

  #take(): boolean {
    if (this.#free === 0) return false;
    this.#free -= 1;
    return true;
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
