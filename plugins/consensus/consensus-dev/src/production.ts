import { setImmediate } from "node:timers/promises";
import { InvalidBlock, PlinthError, type ProducerHost, type SealedHeader } from "@plinth/core";
import { StateUnavailable } from "@plinth/core/chain";
import type { BlockTime } from "./block-time.js";
import type { NextBlock } from "./next-block.js";

/** Delay before a retry after a block could not include the pending transactions. */
const RETRY_MS = 1000;
/** Turns of the event loop that a block waits for further transactions: less than a millisecond if none arrives. */
const MAX_TURNS = 64;

/** Work that is done between two blocks. */
interface Job {
  run(host: ProducerHost): Promise<void>;
  refuse(error: unknown): void;
}

/** Events of block production. */
export interface ProductionEvents {
  /** Production is idle. */
  idle(): void;
  /** No block can be produced on the head: the settings do not allow it, or a value of a forked state cannot be fetched. */
  refused(error: InvalidBlock | StateUnavailable): void;
}

/** Produces blocks one at a time: on request, for transactions, and at intervals. */
export class DevProduction {
  readonly #time: BlockTime;
  readonly #nextBlock: NextBlock;
  readonly #events: ProductionEvents;
  readonly #jobs: Job[] = [];
  #host: ProducerHost | undefined;
  #isAutomatic = true;
  #intervalMs: number | undefined;
  #cancelInterval = () => {};
  #isDue = false;
  /** Notifications since the last block was written: of transactions, and of clients that wait for theirs. */
  #arrived = 0;
  /** Number of transactions of the last block. */
  #lastCount = 0;
  #ring = () => {};

  constructor(
    { time, nextBlock }: { readonly time: BlockTime; readonly nextBlock: NextBlock },
    events: ProductionEvents,
  ) {
    this.#time = time;
    this.#nextBlock = nextBlock;
    this.#events = events;
  }

  get isRunning(): boolean {
    return this.#host !== undefined;
  }

  get isAutomatic(): boolean {
    return this.#isAutomatic;
  }

  set isAutomatic(isAutomatic: boolean) {
    this.#isAutomatic = isAutomatic;
    this.#ring();
  }

  get intervalMs(): number | undefined {
    return this.#intervalMs;
  }

  set intervalMs(intervalMs: number | undefined) {
    this.#intervalMs = intervalMs;
    this.#startInterval();
  }

  /** Checks again whether there is work. */
  wake(): void {
    this.#arrived += 1;
    this.#ring();
  }

  /** Produces a block from the pool; by default at the chain's time. */
  mine(timestamp?: bigint): Promise<SealedHeader> {
    return this.between((host) => this.#seal(host, timestamp));
  }

  /** Runs a task with no block in between. */
  between<T>(work: (host: ProducerHost) => Promise<T>): Promise<T> {
    if (this.#host === undefined) return Promise.reject(stopped());
    return new Promise((resolve, refuse) => {
      const run = (host: ProducerHost) => work(host).then(resolve, refuse);
      this.#jobs.push({ run, refuse });
      this.#ring();
    });
  }

  /** Produces blocks until the host's signal aborts. */
  async run(host: ProducerHost): Promise<void> {
    const ring = () => this.#ring();
    host.signal.addEventListener("abort", ring);
    this.#host = host;
    this.#startInterval();
    try {
      while (!host.signal.aborted) await this.#turn(host);
    } finally {
      host.signal.removeEventListener("abort", ring);
      this.#host = undefined;
      this.#cancelInterval();
      for (const { refuse } of this.#jobs.splice(0)) refuse(stopped());
      this.#events.idle();
    }
  }

  async #turn(host: ProducerHost): Promise<void> {
    const job = this.#jobs.shift();
    if (job !== undefined) return job.run(host);
    if (this.#isDue) {
      this.#isDue = false;
      await this.#gather();
      await this.#orRefuse(() => this.#seal(host));
      return;
    }
    // Watched from here on: transactions that arrive while a block is built may be too late for it.
    let hasRung = false;
    const rung = new Promise<void>((resolve) => {
      this.#ring = () => {
        hasRung = true;
        resolve();
      };
    });
    const isSealed = this.#isAutomatic && (await this.#orRefuse(() => this.#sealWaiting(host)));
    if (isSealed) return;
    // A notification in the meantime may be a transaction whose sender waits for its block.
    if (hasRung) return;
    this.#events.idle();
    // Transactions left for another block, by a plugin, on a busy machine or without the node of a
    // fork, are not triggered by any other event.
    const isLeft = this.#isAutomatic && isSealed === false && host.hasTransactions();
    const cancel = isLeft ? host.clock.after(RETRY_MS, () => this.#ring()) : () => {};
    await rung;
    cancel();
  }

  /**
   * Waits until transactions that arrive one after the other are there, to share a block.
   *
   * Senders that wait for a block send again after it: then about as many follow as were in it.
   */
  async #gather(): Promise<void> {
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      const before = this.#arrived;
      await setImmediate();
      if (this.#arrived === before && before >= this.#lastCount) break;
    }
  }

  /** Produces a block from the pool; returns whether anything could be included. */
  async #sealWaiting(host: ProducerHost): Promise<boolean> {
    if (!host.hasTransactions()) return false;
    await this.#gather();
    const built = await host.build({ timestamp: this.#time.peek(host.clock, host.head()) });
    this.#lastCount = built.block.body.transactions.length;
    if (this.#lastCount === 0) return false;
    this.#time.take(host.clock, host.head());
    await host.submit(built);
    this.#arrived = 0;
    this.#nextBlock.nextBlockOverrides = {};
    return true;
  }

  async #seal(host: ProducerHost, timestamp?: bigint): Promise<SealedHeader> {
    const at = timestamp ?? this.#time.take(host.clock, host.head());
    const header = await host.submit(await host.build({ timestamp: at }));
    this.#arrived = 0;
    this.#nextBlock.nextBlockOverrides = {};
    return header;
  }

  /** A failure to produce a block is reported; production continues. Returns `false` if time may help, not only a change of settings. */
  async #orRefuse<T>(seal: () => Promise<T>): Promise<T | false | undefined> {
    try {
      return await seal();
    } catch (error) {
      const mayPass = error instanceof StateUnavailable;
      if (!mayPass && !(error instanceof InvalidBlock)) throw error;
      this.#events.refused(error);
      return mayPass ? false : undefined;
    }
  }

  #startInterval(): void {
    this.#cancelInterval();
    const [host, intervalMs] = [this.#host, this.#intervalMs];
    if (host === undefined || intervalMs === undefined) return;
    this.#cancelInterval = host.clock.after(intervalMs, () => {
      this.#isDue = true;
      this.#ring();
      this.#startInterval();
    });
  }
}

function stopped(): PlinthError {
  return new PlinthError("PRODUCTION_STOPPED", {
    message: "block production is stopped; miner_start starts it again",
  });
}
