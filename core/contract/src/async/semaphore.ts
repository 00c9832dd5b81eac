/** Lets so many run at a time; the others wait, in order. */
export class Semaphore {
  readonly #count: number;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#count = count;
    this.#free = count;
  }

  /** How many run or wait. */
  get size(): number {
    return this.#count - this.#free + this.#waiting.length;
  }

  /** Runs work, at once when there is room. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#take()) await this.#wait();
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  /** Takes a permit, which has to be released. */
  async acquire(): Promise<void> {
    if (!this.#take()) await this.#wait();
  }

  /** Gives a permit back: the next in line gets it, before any later caller. */
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
