import { Worker } from "node:worker_threads";
import type { FromThread, RunMessage, ThreadSettings, ToThread } from "./messages.js";

/** What becomes of the job of a thread. */
export interface ThreadEvents {
  message(message: FromThread): void;
  /** The thread is gone: with an error when it failed. */
  gone(error: Error | undefined): void;
}

/** Enough for the largest state of a call; what needs more ends its own thread and nothing else. */
const MAX_HEAP_MB = 1024;

/** One thread as the main thread sees it: it does one job at a time. */
export class QueryThread {
  readonly #worker: Worker;
  readonly #cancelled: Int32Array;
  #isGone = false;

  constructor(
    script: string | URL,
    settings: Omit<ThreadSettings, "cancelled">,
    events: ThreadEvents,
  ) {
    const cancelled = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    this.#cancelled = new Int32Array(cancelled);
    const workerData: ThreadSettings = { ...settings, cancelled };
    const resourceLimits = { maxOldGenerationSizeMb: MAX_HEAP_MB };
    this.#worker = new Worker(script, { workerData, resourceLimits });
    // A program that has nothing else to do may end.
    this.#worker.unref();
    let failure: Error | undefined;
    this.#worker.on("message", (message: FromThread) => events.message(message));
    this.#worker.on("error", (error) => {
      failure = error instanceof Error ? error : new Error(String(error));
    });
    this.#worker.on("exit", () => {
      this.#isGone = true;
      events.gone(failure);
    });
  }

  /** Gives it a job. */
  run(message: RunMessage): void {
    Atomics.store(this.#cancelled, 0, 0);
    this.#send(message);
  }

  /** Lets a streamed answer go on. */
  taken(pieces: number): void {
    this.#send({ kind: "taken", pieces });
  }

  /** Asks it to break its job off. */
  cancel(): void {
    Atomics.store(this.#cancelled, 0, 1);
    this.#send({ kind: "cancel" });
  }

  /** Ends it, whatever it does. */
  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #send(message: ToThread): void {
    if (!this.#isGone) this.#worker.postMessage(message);
  }
}
