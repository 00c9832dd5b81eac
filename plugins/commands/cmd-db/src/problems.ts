import { type CommandIo, PlinthError } from "@plinth/core";

/** A problem, and its location. */
export interface Problem {
  readonly where: string;
  readonly problem: string;
}

/** Prints problems as they are found, up to a limit. */
export class Problems {
  readonly #io: CommandIo;
  readonly #maxShown: number;
  #count = 0;

  constructor(io: CommandIo, maxShown: number) {
    this.#io = io;
    this.#maxShown = maxShown;
  }

  get count(): number {
    return this.#count;
  }

  async add({ where, problem }: Problem): Promise<void> {
    this.#count += 1;
    if (this.#count > this.#maxShown) return;
    this.#io.status?.clear();
    await this.#io.write(`${where}: ${problem}`);
  }

  /** Throws `DATABASE_DAMAGED` if there were any. */
  throwIfAny(): void {
    if (this.#count === 0) return;
    const rest = this.#count > this.#maxShown ? `, the first ${this.#maxShown} of them above` : "";
    const found = this.#count === 1 ? "1 problem was" : `${this.#count} problems were`;
    throw new PlinthError("DATABASE_DAMAGED", {
      message: `${found} found${rest}. Ways out: plinth db repair, plinth db restore DIR, or another --data-path to synchronize again.`,
    });
  }
}
