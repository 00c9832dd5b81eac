import { Worker } from "node:worker_threads";

/** A request to the thread. */
export interface ThreadQuestion<Q> {
  readonly id: number;
  readonly question: Q;
}

/** A response of the thread. */
export type ThreadAnswer<A> =
  | { readonly id: number; readonly answer: A }
  | { readonly id: number; readonly fault: string };

interface Waiting<A> {
  resolve(answer: A): void;
  reject(error: Error): void;
}

/**
 * A worker thread for one kind of request; it starts with the first, and again after it has ended.
 */
export class AnsweringThread<Q, A> {
  readonly #script: string;
  readonly #purpose: string;
  readonly #waiting = new Map<number, Waiting<A>>();
  #worker: Worker | undefined;
  #last = 0;

  /** `purpose` completes "the thread that". */
  constructor(script: string, purpose: string) {
    this.#script = script;
    this.#purpose = purpose;
  }

  ask(question: Q): Promise<A> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id, question } satisfies ThreadQuestion<Q>);
    });
  }

  /** Ends the thread; pending requests fail. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(this.#script);
    // An idle thread does not keep the process alive.
    worker.unref();
    worker.on("message", (answer: ThreadAnswer<A>) => this.#settle(answer));
    worker.on("error", (error) => this.#fail(error));
    worker.on("exit", () => this.#fail(new Error(`the thread that ${this.#purpose} ended`)));
    return worker;
  }

  #settle(message: ThreadAnswer<A>): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (this.#waiting.size === 0) this.#worker?.unref();
    if ("answer" in message) waiting?.resolve(message.answer);
    else waiting?.reject(new Error(`the thread that ${this.#purpose} failed: ${message.fault}`));
  }

  #fail(error: Error): void {
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
