import { Worker } from "node:worker_threads";
import { JobFlags } from "./job-flags.js";
import type { FromThread, RunMessage, ThreadSettings, ToThread } from "./messages.js";

/** Callbacks for the jobs of a thread. */
export interface ThreadEvents {
  message(message: FromThread): void;
  /** The thread is gone: with an error if it failed. */
  gone(error: Error | undefined): void;
}

/** Enough for the largest state of a call; exceeding it terminates only its own thread. */
const MAX_HEAP_MB = 1024;

/** One thread as seen from the main thread. */
export class QueryThread {
  readonly #worker: Worker;
  readonly #flags = new JobFlags();
  #isGone = false;

  constructor(script: string | URL, settings: Omit<ThreadSettings, "flags">, events: ThreadEvents) {
    const workerData: ThreadSettings = { ...settings, flags: this.#flags.buffer };
    const resourceLimits = { maxOldGenerationSizeMb: MAX_HEAP_MB };
    this.#worker = new Worker(script, { workerData, resourceLimits });
    // Does not keep an otherwise idle process alive.
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

  /** Assigns a job. */
  run(message: RunMessage): void {
    this.#flags.reset(message.slot);
    this.#send(message);
  }

  /** Progress of a job, in steps of no fixed size. */
  workOf(slot: number): number {
    return this.#flags.workOf(slot);
  }

  /** Lets a streamed response continue. */
  taken(slot: number, size: number): void {
    this.#send({ kind: "taken", slot, size });
  }

  /** Requests to abort a job. */
  cancel(slot: number): void {
    this.#flags.cancel(slot);
    this.#send({ kind: "cancel", slot });
  }

  /** Terminates it, regardless of what it is doing. */
  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #send(message: ToThread): void {
    if (!this.#isGone) this.#worker.postMessage(message);
  }
}
