import { randomUUID } from "node:crypto";
import type { Clock } from "@plinth/core";
import {
  EnclaveError,
  type JsonObject,
  readStateAnswer,
  type StateAnswer,
  type StateQuestion,
} from "@plinth/kit-enclave";

/** How long a query may stay unfetched by the node, and how long the node may process it. */
const TAKEN_MS = 5000;
const ANSWERED_MS = 15_000;
/** Long-poll timeout of the node when there is no query. */
const POLL_MS = 20_000;
/** A node has one request at a time; others are left over from a terminated one. */
const MAX_POLLS = 8;
const MAX_OF_MANAGER = 4;
const MAX_OPEN = 32;

interface Open {
  readonly id: string;
  readonly question: StateQuestion;
  /** The address of the querying manager. */
  readonly by: string;
  readonly resolve: (answer: StateAnswer) => void;
  readonly reject: (error: EnclaveError) => void;
  stopWaiting: () => void;
}

/** A query for the node, with the id for its response. */
export interface AskedQuestion {
  readonly id: string;
  readonly question: StateQuestion;
}

/** Queries of other managers about groups, which the node fetches and answers. */
export class StateQuestions {
  readonly #clock: Clock;
  /** All open queries, by id. */
  readonly #open = new Map<string, Open>();
  /** Those that the node has not fetched. */
  readonly #waiting: Open[] = [];
  /** Long-poll requests of the node. */
  readonly #polls: ((asked: AskedQuestion | undefined) => void)[] = [];
  #isClosed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Passes a query of another manager to the node; rejects if it does not respond. */
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

  /** The next query for the node; `undefined` after a timeout. */
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
      // The latest request is served first: it belongs to the node that runs now.
      this.#polls.push(poll);
      if (this.#polls.length > MAX_POLLS) this.#polls[0]?.(undefined);
    });
  }

  /** Accepts the node's response to a query; throws if it is malformed or too late. */
  answer(id: string, json: JsonObject): void {
    const open = this.#open.get(id);
    if (open === undefined) throw new EnclaveError(409, "the query is not open any more");
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
    throw new EnclaveError(429, "too many queries are waiting for the node of this manager");
  }

  #wait(open: Open): void {
    this.#waiting.push(open);
    open.stopWaiting = this.#clock.after(TAKEN_MS, () =>
      open.reject(new EnclaveError(503, "the node of this manager accepts no queries now")),
    );
  }

  #hand(open: Open, poll: (asked: AskedQuestion) => void): void {
    open.stopWaiting();
    open.stopWaiting = this.#clock.after(ANSWERED_MS, () =>
      open.reject(new EnclaveError(503, "the node of this manager has not responded within 15 s")),
    );
    poll({ id: open.id, question: open.question });
  }
}

function closed(): EnclaveError {
  return new EnclaveError(503, "the manager is being stopped");
}
