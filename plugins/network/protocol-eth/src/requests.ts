import { type Clock, PlinthError, type ProtocolPeer } from "@plinth/core";
import { Semaphore } from "@plinth/core/async";
import { type MessageCodec, readId, type Tagged, type TaggedCodec } from "./codec/message.js";

/** A request without a response, or with a useless one. */
export class RequestFailed extends PlinthError {
  constructor(message: string) {
    super("REQUEST_FAILED", { message });
  }
}

/** How a kind of request is sent and its response decoded. */
export interface RequestKind<Q, A> {
  readonly ask: MessageCodec<Tagged<Q>>;
  readonly response: TaggedCodec<A>;
}

interface Pending {
  readonly received: (payload: Uint8Array) => Promise<void>;
  readonly failed: (error: Error) => void;
}

const TIMEOUT_MS = 5_000;
/** Maximum number of requests in flight per peer; more are queued. */
const MAX_OUTSTANDING = 5;

/**
 * The requests to one peer: numbered, limited, and with a timeout.
 *
 * Ids count from 1 for every kind, as in Besu.
 */
export class Requests {
  readonly #peer: ProtocolPeer;
  readonly #clock: Clock;
  readonly #pending = new Map<string, Pending>();
  readonly #nextIds = new Map<number, bigint>();
  /** Number of pending responses of each kind. */
  readonly #awaited = new Map<number, number>();
  readonly #permits = new Semaphore(MAX_OUTSTANDING);
  readonly #timeoutMs: number;

  constructor(peer: ProtocolPeer, clock: Clock, timeoutMs = TIMEOUT_MS) {
    this.#peer = peer;
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
    peer.signal.addEventListener("abort", () => this.#abort(), { once: true });
  }

  /** Requests in flight or queued. */
  get size(): number {
    return this.#permits.size;
  }

  /** Whether a response is still to come; decoding a received one may take a while. */
  get isAwaiting(): boolean {
    return this.#pending.size > 0;
  }

  /**
   * Sends a request; rejects with `RequestFailed` on a timeout.
   *
   * A response with more than `most` items is not decoded to its end, and the peer is disconnected.
   */
  run<Q, A>(kind: RequestKind<Q, A>, body: Q, most?: number): Promise<A> {
    return this.#permits.run(() => this.#ask(kind, body, most));
  }

  /** Whether a response of that kind is pending. */
  awaits(code: number): boolean {
    return (this.#awaited.get(code) ?? 0) > 0;
  }

  /** Handles a response; one without a request is ignored, as in Besu. */
  async received(code: number, payload: Uint8Array): Promise<void> {
    await this.#pending.get(keyOf(code, readId(payload)))?.received(payload);
  }

  #ask<Q, A>({ ask, response }: RequestKind<Q, A>, body: Q, most?: number): Promise<A> {
    const id = this.#nextIds.get(ask.code) ?? 1n;
    this.#nextIds.set(ask.code, id + 1n);
    const key = keyOf(response.code, id);
    return new Promise<A>((resolve, reject) => {
      const end = () => {
        this.#pending.delete(key);
        this.#count(response.code, -1);
        stop();
      };
      const stop = this.#clock.after(this.#timeoutMs, () => {
        end();
        reject(new RequestFailed(`no response to ${ask.name} within ${this.#timeoutMs} ms`));
        this.#peer.report({ outcome: "timeout", request: ask.name });
      });
      this.#count(response.code, 1);
      this.#pending.set(key, {
        received: async (payload) => {
          end();
          // Throws to the session, which disconnects the peer; the request must fail too.
          try {
            resolve((await response.decodeInTurns(payload, most)).body);
          } catch (error) {
            reject(new RequestFailed(`${response.name} is malformed`));
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
