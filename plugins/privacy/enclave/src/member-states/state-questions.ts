import { randomUUID } from "node:crypto";
import type { Clock } from "@plinth/core";
import {
  EnclaveError,
  type JsonObject,
  readStateAnswer,
  type StateAnswer,
  type StateQuestion,
} from "@plinth/kit-enclave";

/** How long the node may leave a question, and how long it may think about it. */
const TAKEN_MS = 5000;
const ANSWERED_MS = 15_000;
/** How long the node is left without an answer where there is no question. */
const POLL_MS = 20_000;
/** A node asks once at a time; more are left from one that was ended. */
const MAX_POLLS = 8;
const MAX_OF_MANAGER = 4;
const MAX_OPEN = 32;

interface Open {
  readonly id: string;
  readonly question: StateQuestion;
  /** The address of the manager that asks. */
  readonly by: string;
  readonly resolve: (answer: StateAnswer) => void;
  readonly reject: (error: EnclaveError) => void;
  stopWaiting: () => void;
}

/** A question for the node, with the id that its answer names. */
export interface AskedQuestion {
  readonly id: string;
  readonly question: StateQuestion;
}

/** Questions of other managers about groups, which the node fetches and answers. */
export class StateQuestions {
  readonly #clock: Clock;
  /** All that have no answer, by their ids. */
  readonly #open = new Map<string, Open>();
  /** Those that the node has not fetched. */
  readonly #waiting: Open[] = [];
  /** Requests of the node that wait for a question. */
  readonly #polls: ((asked: AskedQuestion | undefined) => void)[] = [];
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Has the node answer a question of another manager; rejects where it does not. */
  async ask(question: StateQuestion, by: string): Promise<StateAnswer> {
    this.#verifyRoom(by);
    const id = randomUUID();
    try {
      return await new Promise((resolve, reject) => {
        const open: Open = { id, question, by, resolve, reject, stopWaiting: () => {} };
        this.#open.set(id, open);
        const poll = this.#polls.pop();
        if (poll === undefined) this.#wait(open);
        else this.#hand(open, poll);
      });
    } finally {
      this.#open.get(id)?.stopWaiting();
      this.#open.delete(id);
      const index = this.#waiting.findIndex((open) => open.id === id);
      if (index >= 0) this.#waiting.splice(index, 1);
    }
  }

  /** The next question for the node; `undefined` where none has come for a while. */
  async next(): Promise<AskedQuestion | undefined> {
    if (this.#isClosed) throw closed();
    return new Promise((resolve) => {
      const poll = (asked: AskedQuestion | undefined) => {
        stop();
        const index = this.#polls.indexOf(poll);
        if (index >= 0) this.#polls.splice(index, 1);
        resolve(asked);
      };
      const stop = this.#clock.after(POLL_MS, () => poll(undefined));
      const open = this.#waiting.shift();
      if (open !== undefined) {
        this.#hand(open, poll);
        return;
      }
      // The one that came last is served first: it is of the node that runs now.
      this.#polls.push(poll);
      if (this.#polls.length > MAX_POLLS) this.#polls[0]?.(undefined);
    });
  }

  /** Takes what the node says to a question; throws where it is malformed or too late. */
  answer(id: string, json: JsonObject): void {
    const open = this.#open.get(id);
    if (open === undefined) throw new EnclaveError(409, "the question is not open any more");
    open.resolve(readStateAnswer(json, open.question));
  }

  close(): void {
    this.#isClosed = true;
    for (const { reject } of this.#open.values()) reject(closed());
    for (const poll of [...this.#polls]) poll(undefined);
  }

  #verifyRoom(by: string): void {
    if (this.#isClosed) throw closed();
    const own = [...this.#open.values()].filter((open) => open.by === by).length;
    if (own < MAX_OF_MANAGER && this.#open.size < MAX_OPEN) return;
    throw new EnclaveError(429, "too many questions wait for the node of this manager");
  }

  #wait(open: Open): void {
    this.#waiting.push(open);
    open.stopWaiting = this.#clock.after(TAKEN_MS, () =>
      open.reject(new EnclaveError(503, "the node of this manager takes no questions now")),
    );
  }

  #hand(open: Open, poll: (asked: AskedQuestion) => void): void {
    open.stopWaiting();
    open.stopWaiting = this.#clock.after(ANSWERED_MS, () =>
      open.reject(new EnclaveError(503, "the node of this manager has not answered in 15 s")),
    );
    poll({ id: open.id, question: open.question });
  }
}

function closed(): EnclaveError {
  return new EnclaveError(503, "the manager is being stopped");
}
