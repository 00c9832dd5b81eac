import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";

/** What the thread is asked: whether a password has a hash. */
export interface PasswordQuestion {
  readonly id: number;
  readonly password: string;
  readonly hash: string;
}

/** What the thread answers. */
export interface PasswordAnswer {
  readonly id: number;
  readonly isRight: boolean;
  /** Set where the check itself failed. */
  readonly fault?: string;
}

interface Waiting {
  resolve(isRight: boolean): void;
  reject(error: Error): void;
}

/** Checks under way, each of which waits for those before it. */
const MAX_PLACES = 32;

/** Checks passwords on a thread of its own, which starts with the first of them: bcrypt is slow by design. */
export class PasswordChecker {
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #last = 0;
  #taken = 0;

  /**
   * A place among the checks under way, until it is disposed of; `undefined` when another check would take too long.
   *
   * It is taken before a check is prepared, so that no more are prepared than there is room for.
   */
  reserve(): Disposable | undefined {
    if (this.#taken >= MAX_PLACES) return undefined;
    this.#taken += 1;
    return {
      [Symbol.dispose]: () => {
        this.#taken -= 1;
      },
    };
  }

  /** Whether a password has a bcrypt hash. */
  check(password: string, hash: string): Promise<boolean> {
    const worker = this.#open();
    this.#last += 1;
    const question: PasswordQuestion = { id: this.#last, password, hash };
    return new Promise((resolve, reject) => {
      this.#waiting.set(question.id, { resolve, reject });
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
    const script = createRequire(import.meta.url).resolve("@plinth/core/password-worker");
    const worker = new Worker(script);
    // An idle thread keeps no program alive.
    worker.unref();
    worker.on("message", (answer: PasswordAnswer) => this.#settle(answer));
    worker.on("error", (error) => this.#fail(error));
    worker.on("exit", () => this.#fail(new Error("the thread that checks passwords ended")));
    this.#worker = worker;
    return worker;
  }

  #settle({ id, isRight, fault }: PasswordAnswer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#worker?.unref();
    if (fault === undefined) waiting?.resolve(isRight);
    else waiting?.reject(new Error(`a password cannot be checked: ${fault}`));
  }

  /** The next check begins with a new thread. */
  #fail(error: Error): void {
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
