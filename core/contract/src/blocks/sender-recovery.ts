import { createRequire } from "node:module";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Address } from "../primitives/hex.js";
import type { Transaction } from "./transaction.js";

/** Below this number, recovery on the main thread is faster than a round trip to the worker. */
const WORTH_A_THREAD = 4;

/** Pending recoveries, oldest first. */
type Waiting = (senders: readonly (Address | undefined)[]) => void;

/**
 * Recovers the senders of many transactions on a worker thread.
 *
 * It is only a head start: if the thread fails, senders are recovered on the main thread when first
 * read.
 */
export class SenderRecovery {
  readonly #failed: (error: unknown) => void;
  readonly #script: string | URL;
  readonly #waiting: Waiting[] = [];
  /** Those that have arrived in this turn of the loop. */
  #arrivals: { readonly transactions: Transaction[]; readonly done: Promise<void> } | undefined;
  /** Resolves when the senders of all earlier arrivals are known. */
  #arrived = Promise.resolve();
  #worker: Worker | undefined;
  #isOver = false;

  /** `failed` is called once if the thread fails; `script` is the worker's script. */
  constructor(failed: (error: unknown) => void, script: string | URL = findScript()) {
    this.#failed = failed;
    this.#script = script;
  }

  /** Resolves when the senders are known or the thread has failed; never rejects. */
  async recover(transactions: readonly Transaction[]): Promise<void> {
    const unknown = transactions.filter(({ knowsSender }) => !knowsSender);
    if (unknown.length < WORTH_A_THREAD || this.#isOver) return;
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const senders = await new Promise<readonly (Address | undefined)[]>((resolve) => {
      this.#waiting.push(resolve);
      // Copies, because transferring a view transfers its whole underlying buffer, such as a chunk
      // of a file.
      worker.postMessage(unknown.map(({ raw }) => new Uint8Array(raw)));
    });
    for (const [index, transaction] of unknown.entries()) {
      const sender = senders[index];
      if (sender !== undefined) transaction.rememberSender(sender);
    }
  }

  /**
   * The same for a transaction that arrives alone: together with those that arrive in the same turn of the loop.
   *
   * Resolves in the order of the calls: the next transaction of a sender does not overtake the one before it.
   */
  recoverArrived(transaction: Transaction): Promise<void> {
    this.#arrivals ??= this.#gather();
    this.#arrivals.transactions.push(transaction);
    return this.#arrivals.done;
  }

  /** Ends the thread and settles all pending recoveries. */
  async close(): Promise<void> {
    this.#release();
    await this.#worker?.terminate();
  }

  #gather(): { readonly transactions: Transaction[]; readonly done: Promise<void> } {
    const transactions: Transaction[] = [];
    const earlier = this.#arrived;
    const recover = async () => {
      await setImmediate();
      this.#arrivals = undefined;
      await Promise.all([this.recover(transactions), earlier]);
    };
    this.#arrived = recover();
    return { transactions, done: this.#arrived };
  }

  #start(): Worker {
    const worker = new Worker(this.#script);
    // The thread does not keep the process alive.
    worker.unref();
    worker.on("message", (senders) => this.#waiting.shift()?.(senders));
    worker.on("error", (error) => {
      this.#failed(error);
      this.#release();
    });
    return worker;
  }

  #release(): void {
    this.#isOver = true;
    for (const resolve of this.#waiting.splice(0)) resolve([]);
  }
}

/** The thread runs the built script, also when the code around it runs from source. */
function findScript(): string {
  return createRequire(import.meta.url).resolve("@plinth/core/recovery-worker");
}
