import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import type { Address } from "../primitives/hex.js";
import type { Transaction } from "./transaction.js";

/** Fewer than these are recovered sooner than a thread answers. */
const WORTH_A_THREAD = 8;

/** Those who wait for the thread, the first first. */
type Waiting = (senders: readonly (Address | undefined)[]) => void;

/**
 * Recovers the senders of many transactions on a thread of its own.
 *
 * It is a head start and nothing more: where the thread fails, senders are recovered when they are asked
 * for, as ever.
 */
export class SenderRecovery {
  readonly #failed: (error: unknown) => void;
  readonly #script: string | URL;
  readonly #waiting: Waiting[] = [];
  #worker: Worker | undefined;
  #isOver = false;

  /** `failed` is called once when the thread fails; `script` is what the thread runs. */
  constructor(failed: (error: unknown) => void, script: string | URL = findScript()) {
    this.#failed = failed;
    this.#script = script;
  }

  /** Resolves when the senders are known, or when the thread cannot help; never rejects. */
  async recover(transactions: readonly Transaction[]): Promise<void> {
    const unknown = transactions.filter(({ knowsSender }) => !knowsSender);
    if (unknown.length < WORTH_A_THREAD || this.#isOver) return;
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const senders = await new Promise<readonly (Address | undefined)[]>((resolve) => {
      this.#waiting.push(resolve);
      // Copies, because a view takes the whole buffer behind it along, such as a piece of a file.
      worker.postMessage(unknown.map(({ raw }) => new Uint8Array(raw)));
    });
    for (const [index, transaction] of unknown.entries()) {
      const sender = senders[index];
      if (sender !== undefined) transaction.rememberSender(sender);
    }
  }

  /** Ends the thread and settles every pending recovery. */
  async close(): Promise<void> {
    this.#release();
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(this.#script);
    // A program that has nothing else to do may end.
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

/** The thread runs what was built, also when the code around it is run from its source. */
function findScript(): string {
  return createRequire(import.meta.url).resolve("@plinth/core/recovery-worker");
}
