import type { RpcClient } from "@plinth/core";
import { RpcError, Yielder } from "@plinth/core";
import { type Answer, type Part, type Response, sizeOf } from "@plinth/core/rpc";

/** Responses to a batch are sent as one text up to this size, and streamed above it. */
const MAX_WHOLE_BYTES = 64 * 1024;

/**
 * Executes a member of a batch, or responds with the error instead; `undefined` for notifications.
 */
export type RespondTo = (
  member: unknown,
  refusal: RpcError | undefined,
) => Promise<Response> | Response | undefined;

/**
 * Handles a batch: the members are executed one after another, in order.
 *
 * A short response is one text. A longer one is streamed: a member is executed when the caller has
 * consumed the responses before it, so that no more than one large response is in memory.
 */
export async function answerBatch(
  members: readonly unknown[],
  respond: RespondTo,
  client: RpcClient,
): Promise<Answer> {
  const batch = new Batch(members, respond, client);
  const sent = () => batch.sent();
  let text = "[";
  for (;;) {
    const next = batch.next();
    // Most members complete synchronously, and awaiting them would cost more than they do.
    const response = next instanceof Promise ? await next : next;
    if (response === undefined) return { outcome: "answered", parts: [`${text}]`], sent };
    const whole = textOf(response);
    if (whole === undefined || text.length + whole.length > MAX_WHOLE_BYTES) {
      const parts = [batch.write(text, response)];
      return { outcome: "answered", parts, isExecuting: true, sent };
    }
    text += `${separatorAfter(text)}${whole}`;
  }
}

/** A batch in progress. */
class Batch {
  readonly #members: readonly unknown[];
  readonly #respond: RespondTo;
  readonly #client: RpcClient;
  readonly #followers: (() => void)[] = [];
  readonly #yielder = new Yielder();
  #index = 0;
  #bytes = 0;
  /** Only then can the client have disconnected. */
  #hasWaited = false;

  constructor(members: readonly unknown[], respond: RespondTo, client: RpcClient) {
    this.#members = members;
    this.#respond = respond;
    this.#client = client;
  }

  /** Executes members until one has a response; `undefined` after the last. */
  next(): Promise<Response | undefined> | Response | undefined {
    for (;;) {
      if (this.#yielder.isDue) return this.#waitFor(this.#yielder.yield()).then(() => this.next());
      if (this.#index >= this.#members.length) return undefined;
      const response = this.#respond(this.#members[this.#index], this.#findRefusal());
      this.#index += 1;
      if (response instanceof Promise) {
        return this.#waitFor(response).then((ready) => this.#note(ready));
      }
      if (response !== undefined) return this.#note(response);
    }
  }

  #waitFor<T>(work: Promise<T>): Promise<T> {
    this.#hasWaited = true;
    return work;
  }

  #note(response: Response): Response {
    if (response.sent !== undefined) this.#followers.push(response.sent);
    this.#bytes += sizeOf(response.parts);
    return response;
  }

  /** The text so far, a response and those that follow, as JSON chunks. */
  async *write(text: string, first: Response): AsyncGenerator<string | Uint8Array> {
    this.#hasWaited = true;
    yield `${text}${separatorAfter(text)}`;
    yield* this.#writeParts(first);
    for (let next = await this.next(); next !== undefined; next = await this.next()) {
      yield ",";
      yield* this.#writeParts(next);
    }
    yield "]";
  }

  /** Calls back the methods that wait for their response to be sent. */
  sent(): void {
    for (const follow of this.#followers) follow();
  }

  async *#writeParts({ parts, release }: Response): AsyncGenerator<string | Uint8Array> {
    try {
      for (const part of parts) {
        if (isWhole(part)) yield part;
        else yield* this.#count(part);
      }
    } finally {
      release?.();
    }
  }

  async *#count(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<string | Uint8Array> {
    for await (const piece of pieces) {
      this.#bytes += piece.length;
      yield piece;
    }
  }

  /** Why the remaining members are no longer executed. */
  #findRefusal(): RpcError | undefined {
    if (this.#hasWaited && this.#client.closed.aborted) return RpcError.timeout();
    const { budget } = this.#client;
    if (budget === undefined || this.#bytes <= budget.maxBatchBytes) return undefined;
    budget.exceeded("batch");
    return RpcError.responseTooLarge();
  }
}

function separatorAfter(text: string): string {
  return text === "[" ? "" : ",";
}

/** The response when it is short text. */
function textOf({ parts, release }: Response): string | undefined {
  const [only] = parts;
  return parts.length === 1 && release === undefined && typeof only === "string" ? only : undefined;
}

function isWhole(part: Part): part is string | Uint8Array {
  return typeof part === "string" || part instanceof Uint8Array;
}
