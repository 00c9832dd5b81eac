import { createRequire } from "node:module";
import { AnsweringThread } from "./answering-thread.js";

/** The request to the thread: whether a password matches a hash. */
export interface PasswordQuestion {
  readonly password: string;
  readonly hash: string;
}

/** Maximum number of pending checks, each of which waits for those before it. */
const MAX_PLACES = 32;

/** Checks passwords on a worker thread: bcrypt is slow by design. */
export class PasswordChecker {
  // The thread runs the built script, also when the code around it runs from source.
  readonly #thread = new AnsweringThread<PasswordQuestion, boolean>(
    createRequire(import.meta.url).resolve("@plinth/core/password-worker"),
    "checks passwords",
  );
  #taken = 0;

  /**
   * A slot among the pending checks, until it is disposed of; `undefined` if all are taken.
   *
   * Take it before a check is prepared, so that no more are prepared than slots exist.
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

  /** Whether a password matches a bcrypt hash. */
  check(password: string, hash: string): Promise<boolean> {
    return this.#thread.ask({ password, hash });
  }

  /** Ends the thread; pending checks fail. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}
