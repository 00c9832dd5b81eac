import { createRequire } from "node:module";
import { AnsweringThread } from "./answering-thread.js";

/** What the thread is asked: whether a password has a hash. */
export interface PasswordQuestion {
  readonly password: string;
  readonly hash: string;
}

/** Checks under way, each of which waits for those before it. */
const MAX_PLACES = 32;

/** Checks passwords on a thread of its own: bcrypt is slow by design. */
export class PasswordChecker {
  // The thread runs what was built, also when the code around it is run from its source.
  readonly #thread = new AnsweringThread<PasswordQuestion, boolean>(
    createRequire(import.meta.url).resolve("@plinth/core/password-worker"),
    "checks passwords",
  );
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
    return this.#thread.ask({ password, hash });
  }

  /** Ends the thread; checks under way fail. */
  close(): Promise<void> {
    return this.#thread.close();
  }
}
