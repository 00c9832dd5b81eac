import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { type Sidecar, toHex } from "@plinth/core";

/** What the thread is asked: whether the proofs of a sidecar are right. */
export interface ProofQuestion {
  readonly id: number;
  readonly proofsOf: Sidecar["proofsOf"];
  readonly blobs: readonly string[];
  readonly commitments: readonly string[];
  readonly proofs: readonly string[];
}

/** What the thread answers. */
export interface ProofAnswer {
  readonly id: number;
  readonly isRight: boolean;
  /** Set where the check itself failed. */
  readonly fault?: string;
}

interface Waiting {
  resolve(isRight: boolean): void;
  reject(error: Error): void;
}

/** Checks the proofs of blobs on a thread of its own, which starts with the first of them. */
export class ProofChecker {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #last = 0;

  /** Whether every proof is right. */
  check({ proofsOf, blobs, commitments, proofs }: Sidecar): Promise<boolean> {
    const worker = this.#open();
    this.#last += 1;
    const id = this.#last;
    const question: ProofQuestion = {
      id,
      proofsOf,
      blobs: blobs.map(toHex),
      commitments: commitments.map(toHex),
      proofs: proofs.map(toHex),
    };
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage(question);
    });
  }

  /** Ends the thread; checks under way fail. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #open(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    // The thread runs what was built, also when the code around it is run from its source.
    const script = createRequire(import.meta.url).resolve("@plinth/plugin-blobs-kzg/proof-worker");
    const worker = new Worker(script);
    // An idle thread keeps no program alive.
    worker.unref();
    worker.on("message", (answer: ProofAnswer) => this.#settle(answer));
    worker.on("error", (error) => this.#fail(error));
    worker.on("exit", () => this.#fail(new Error("the thread that checks proofs of blobs ended")));
    this.#worker = worker;
    return worker;
  }

  #settle({ id, isRight, fault }: ProofAnswer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker?.unref();
    if (fault === undefined) waiting?.resolve(isRight);
    else waiting?.reject(new Error(`proofs of blobs cannot be checked: ${fault}`));
  }

  /** The next check begins with a new thread. */
  #fail(error: Error): void {
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
