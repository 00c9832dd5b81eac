import { Semaphore } from "@plinth/core/async";
import type { Evm, LentEvm } from "@plinth/core/evm";

/** EVMs for long work: a limited number, for which callers wait. */
export class EvmPool {
  readonly #create: () => Promise<Evm>;
  readonly #idle: Evm[] = [];
  readonly #permits: Semaphore;

  constructor(create: () => Promise<Evm>, most: number) {
    this.#create = create;
    this.#permits = new Semaphore(most);
  }

  /** Takes one; dispose of it to return it. */
  async take(): Promise<LentEvm> {
    await this.#permits.acquire();
    try {
      const evm = this.#idle.pop() ?? (await this.#create());
      return { evm, [Symbol.dispose]: () => this.#giveBack(evm) };
    } catch (error) {
      this.#permits.release();
      throw error;
    }
  }

  #giveBack(evm: Evm): void {
    this.#idle.push(evm);
    this.#permits.release();
  }
}
