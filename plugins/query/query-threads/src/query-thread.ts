import { Worker } from "node:worker_threads";
import { JobFlags } from "./job-flags.js";
import type { FromThread, RunMessage, ThreadSettings, ToThread } from "./messages.js";

/** What becomes of the job of a thread. */
export interface ThreadEvents {
  message(message: FromThread): void;
  /** The thread is gone: with an error when it failed. */
  gone(error: Error | undefined): void;
}

/** Enough for the largest state of a call; what needs more ends its own thread and nothing else. */
const MAX_HEAP_MB = 1024;

/** One thread as the main thread sees it. */
export class QueryThread {
  readonly #worker: Worker;
  readonly #flags = new JobFlags();
  #isGone = false;

  constructor(script: string | URL, settings: Omit<ThreadSettings, "flags">, events: ThreadEvents) {
    const workerData: ThreadSettings = { ...settings, flags: this.#flags.buffer };
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
    this.#flags.reset(message.slot);
    this.#send(message);
  }

  /** How much a job has done, in steps of no fixed size. */
  workOf(slot: number): number {
    return this.#flags.workOf(slot);
  }

  /** Lets a streamed answer go on. */
  taken(slot: number, size: number): void {
    this.#send({ kind: "taken", slot, size });
  }

  /** Asks it to break a job off. */
  cancel(slot: number): void {
    this.#flags.cancel(slot);
    this.#send({ kind: "cancel", slot });
  }

  /** Ends it, whatever it does. */
  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #send(message: ToThread): void {
    if (!this.#isGone) this.#worker.postMessage(message);
  }
}
