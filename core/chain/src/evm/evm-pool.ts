import type { Evm, LentEvm } from "@plinth/core/evm";

/** EVMs for long work: so many at once, and who comes later waits for one. */
export class EvmPool {
  readonly #create: () => Promise<Evm>;
  readonly #idle: Evm[] = [];
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(create: () => Promise<Evm>, most: number) {
    this.#create = create;
    this.#free = most;
  }

  /** Takes one; dispose of it to give it back. */
  async take(): Promise<LentEvm> {
    if (this.#free === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#free -= 1;
    try {
      const evm = this.#idle.pop() ?? (await this.#create());
      return { evm, [Symbol.dispose]: () => this.#giveBack(evm) };
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  #giveBack(evm: Evm): void {
    this.#idle.push(evm);
    this.#release();
  }

  /** Hands the place on to the next who waits. */
  #release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
