import type { Evm } from "../evm/evm.js";
import type { EvmPool, LentEvm } from "../evm/evm-pool.js";
import { serialEvm } from "../evm/serial-evm.js";

/** An EVM whose runs stop when its present owner says so. */
interface OwnedEvm {
  readonly evm: Evm;
  interrupt: () => void;
}

/** The EVMs of a thread: each belongs to one job at a time, which can be interrupted by itself. */
export class ThreadEvms {
  readonly #create: (interrupt: () => void) => Promise<Evm>;
  readonly #idle: OwnedEvm[] = [];

  constructor(create: (interrupt: () => void) => Promise<Evm>) {
    this.#create = create;
  }

  /** The EVMs of a job; `close` gives them back. */
  lease(interrupt: () => void): EvmLease {
    return new EvmLease({
      take: () => this.#take(interrupt),
      giveBack: (owned) => this.#idle.push(owned),
    });
  }

  async #take(interrupt: () => void): Promise<OwnedEvm> {
    const owned = this.#idle.pop() ?? (await this.#make());
    owned.interrupt = interrupt;
    return owned;
  }

  async #make(): Promise<OwnedEvm> {
    const owned: { evm?: Evm; interrupt: () => void } = { interrupt: () => {} };
    owned.evm = await this.#create(() => owned.interrupt());
    return owned as OwnedEvm;
  }
}

/** The EVMs that a job has taken. */
export class EvmLease {
  readonly #source: {
    take(): Promise<OwnedEvm>;
    giveBack(owned: OwnedEvm): void;
  };
  readonly #taken: OwnedEvm[] = [];
  /** One for calls, made when the first comes. */
  readonly evm: Evm;
  /** As many as the job wants; they go back with the job. */
  readonly pool: Pick<EvmPool, "take">;

  constructor(source: { take(): Promise<OwnedEvm>; giveBack(owned: OwnedEvm): void }) {
    this.#source = source;
    this.evm = serialEvm(() => this.#take());
    this.pool = { take: () => this.#lend() };
  }

  close(): void {
    for (const owned of this.#taken.splice(0)) {
      owned.interrupt = () => {};
      this.#source.giveBack(owned);
    }
  }

  async #take(): Promise<Evm> {
    const owned = await this.#source.take();
    this.#taken.push(owned);
    return owned.evm;
  }

  async #lend(): Promise<LentEvm> {
    return { evm: await this.#take(), [Symbol.dispose]: () => {} };
  }
}
