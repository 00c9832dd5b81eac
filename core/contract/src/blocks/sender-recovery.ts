import { createRequire } from "node:module";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { Address } from "../primitives/hex.js";
import type { Transaction } from "./transaction.js";

/** Below this number, the round trip costs the caller about as much time as the recovery. */
const WORTH_A_THREAD = 4;

/** A pending recovery. */
interface Waiting {
  readonly isBlock: boolean;
  readonly settle: (senders: readonly (Address | undefined)[]) => void;
}

/**
 * Recovers the senders of many transactions on a worker thread.
 *
 * It is only a head start: if the thread fails, senders are recovered on the main thread when first
 * read.
 */
export class SenderRecovery {
  readonly #failed: (error: unknown) => void;
  readonly #script: string | URL;
  /** Oldest first. */
  readonly #waiting: Waiting[] = [];
  /** Those that have arrived in this turn of the loop. */
  #arrivals: { readonly transactions: Transaction[]; readonly done: Promise<void> } | undefined;
  /** Resolves when the senders of all earlier arrivals are known. */
  #arrived = Promise.resolve();
  #worker: Worker | undefined;
  #isReady = false;
  #isOver = false;

  /** `failed` is called once if the thread fails; `script` is the worker's script. */
  constructor(failed: (error: unknown) => void, script: string | URL = findScript()) {
    this.#failed = failed;
    this.#script = script;
  }

  /**
   * Resolves when the senders of the transactions of a block are known or the thread has failed; never rejects.
   */
  async recover(transactions: readonly Transaction[]): Promise<void> {
    const unknown = findUnknown(transactions);
    if (unknown.length >= WORTH_A_THREAD) await this.#recoverAway(unknown, true);
  }

  /**
   * Recovers the sender of a pooled transaction, together with others that arrive in the same turn of the loop; it is left to
   * the first read if there are few, while the thread starts, and while it has a block. Never rejects.
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
      await Promise.all([this.#recoverGathered(transactions), earlier]);
    };
    this.#arrived = recover();
    return { transactions, done: this.#arrived };
  }

  async #recoverGathered(transactions: readonly Transaction[]): Promise<void> {
    const unknown = findUnknown(transactions);
    if (unknown.length < WORTH_A_THREAD) return;
    if (!this.#isReady) this.#start();
    else if (!this.#waiting.some(({ isBlock }) => isBlock)) await this.#recoverAway(unknown, false);
  }

  async #recoverAway(transactions: readonly Transaction[], isBlock: boolean): Promise<void> {
    const worker = this.#start();
    if (worker === undefined) return;
    const senders = await new Promise<readonly (Address | undefined)[]>((settle) => {
      this.#waiting.push({ isBlock, settle });
      // Copies, because transferring a view transfers its whole underlying buffer, such as a chunk
      // of a file.
      worker.postMessage(transactions.map(({ raw }) => new Uint8Array(raw)));
    });
    for (const [index, transaction] of transactions.entries()) {
      const sender = senders[index];
      if (sender !== undefined) transaction.rememberSender(sender);
    }
  }

  /** The thread, created on first use; `undefined` if it has failed, or cannot be created. */
  #start(): Worker | undefined {
    if (this.#isOver) return undefined;
    if (this.#worker !== undefined) return this.#worker;
    try {
      const worker = new Worker(this.#script);
      // The thread does not keep the process alive.
      worker.unref();
      worker.on("message", (senders) => this.#waiting.shift()?.settle(senders));
      worker.on("error", (error) => this.#fail(error));
      const settle = () => {
        this.#isReady = true;
      };
      this.#waiting.push({ isBlock: false, settle });
      worker.postMessage([]);
      this.#worker = worker;
      return worker;
    } catch (error) {
      // Such as at the limit of threads of a container.
      this.#fail(error);
      return undefined;
    }
  }

  #fail(error: unknown): void {
    this.#failed(error);
    this.#release();
  }

  #release(): void {
    this.#isOver = true;
    for (const { settle } of this.#waiting.splice(0)) settle([]);
  }
}

function findUnknown(transactions: readonly Transaction[]): readonly Transaction[] {
  return transactions.filter(({ knowsSender }) => !knowsSender);
}

/** The thread runs the built script, also when the code around it runs from source. */
function findScript(): string {
  return createRequire(import.meta.url).resolve("@plinth/core/recovery-worker");
}
