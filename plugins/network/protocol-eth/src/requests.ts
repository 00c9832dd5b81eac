import { type Clock, PlinthError, type ProtocolPeer } from "@plinth/core";
import { Semaphore } from "@plinth/core/async";
import { type MessageCodec, readId, type Tagged, type TaggedCodec } from "./codec/message.js";

/** A request that got no answer, or one that is of no use. */
export class RequestFailed extends PlinthError {
  constructor(message: string) {
    super("REQUEST_FAILED", { message });
  }
}

/** How a kind of request is sent and answered. */
export interface RequestKind<Q, A> {
  readonly ask: MessageCodec<Tagged<Q>>;
  readonly answer: TaggedCodec<A>;
}

interface Pending {
  readonly answered: (payload: Uint8Array) => Promise<void>;
  readonly failed: (error: Error) => void;
}

const TIMEOUT_MS = 5_000;
/** What is asked of one peer at a time; more wait. */
const MAX_OUTSTANDING = 5;

/**
 * The requests to one peer: numbered, limited, and with a time limit.
 *
 * Ids count from 1 for every kind, as those of Besu do.
 */
export class Requests {
  readonly #peer: ProtocolPeer;
  readonly #clock: Clock;
  readonly #pending = new Map<string, Pending>();
  readonly #nextIds = new Map<number, bigint>();
  /** How many answers of each kind are awaited. */
  readonly #awaited = new Map<number, number>();
  readonly #permits = new Semaphore(MAX_OUTSTANDING);

  constructor(peer: ProtocolPeer, clock: Clock) {
    this.#peer = peer;
    this.#clock = clock;
    peer.signal.addEventListener("abort", () => this.#abort(), { once: true });
  }

  /** Requests that wait for an answer or for their turn. */
  get size(): number {
    return this.#permits.size;
  }

  /** Whether anything is still to come; what has come may take a while to be read. */
  get isAwaiting(): boolean {
    return this.#pending.size > 0;
  }

  /**
   * Asks the peer; rejects with `RequestFailed` when no answer comes in time.
   *
   * One with more than `most` items is not read to its end, and costs the peer the connection.
   */
  run<Q, A>(kind: RequestKind<Q, A>, body: Q, most?: number): Promise<A> {
    return this.#permits.run(() => this.#ask(kind, body, most));
  }

  /** Whether an answer of that kind is awaited. */
  awaits(code: number): boolean {
    return (this.#awaited.get(code) ?? 0) > 0;
  }

  /** Takes an answer; one without a request is ignored, as Besu does. */
  async answered(code: number, payload: Uint8Array): Promise<void> {
    await this.#pending.get(keyOf(code, readId(payload)))?.answered(payload);
  }

  #ask<Q, A>({ ask, answer }: RequestKind<Q, A>, body: Q, most?: number): Promise<A> {
    const id = this.#nextIds.get(ask.code) ?? 1n;
    this.#nextIds.set(ask.code, id + 1n);
    const key = keyOf(answer.code, id);
    return new Promise<A>((resolve, reject) => {
      const end = () => {
        this.#pending.delete(key);
        this.#count(answer.code, -1);
        stop();
      };
      const stop = this.#clock.after(TIMEOUT_MS, () => {
        end();
        reject(new RequestFailed(`no answer to ${ask.name} within ${TIMEOUT_MS} ms`));
        this.#peer.report({ outcome: "timeout", request: ask.name });
      });
      this.#count(answer.code, 1);
      this.#pending.set(key, {
        answered: async (payload) => {
          end();
          // Throws to the session, which disconnects the peer; the request must fail too.
          try {
            resolve((await answer.decodeInTurns(payload, most)).body);
          } catch (error) {
            reject(new RequestFailed(`${answer.name} cannot be read`));
            throw error;
          }
        },
        failed: (error) => {
          end();
          reject(error);
        },
      });
      if (!this.#peer.send(ask.code, ask.encode({ id, body }))) this.#abort();
    });
  }

  #count(code: number, more: number): void {
    this.#awaited.set(code, (this.#awaited.get(code) ?? 0) + more);
  }

  #abort(): void {
    for (const { failed } of [...this.#pending.values()]) {
      failed(new RequestFailed("the connection has ended"));
    }
  }
}

function keyOf(code: number, id: bigint): string {
  return `${code}:${id}`;
}
