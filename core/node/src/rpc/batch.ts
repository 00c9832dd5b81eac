import { RpcError, yieldToLoop } from "@plinth/core";
import { MAX_BUSY_MS } from "@plinth/core/async";
import { type Answer, JsonPieces, type Part, type Response, sizeOf } from "@plinth/core/rpc";
import type { Body } from "./body.js";

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
 * Handles a batch: the members are executed one after another, in order; synchronously if all of
 * them are, unless that takes long.
 *
 * A short response is one text. A longer one is streamed: a member is executed when the caller has
 * consumed the responses before it, so that no more than one large response is in memory.
 */
export function answerBatch(
  members: readonly unknown[],
  respond: RespondTo,
  body: Body,
): Answer | Promise<Answer> {
  return new Batch(members, respond, body).run();
}

type Next = Promise<Response | undefined> | Response | undefined;

/** A batch in progress. */
class Batch {
  readonly #members: readonly unknown[];
  readonly #respond: RespondTo;
  readonly #body: Body;
  readonly #followers: (() => void)[] = [];
  #turnedAt: number;
  #index = 0;
  #bytes = 0;
  #text = "[";
  /** Only then can the client have disconnected. */
  #hasWaited = false;

  constructor(members: readonly unknown[], respond: RespondTo, body: Body) {
    this.#members = members;
    this.#respond = respond;
    this.#body = body;
    this.#turnedAt = body.now;
  }

  run() {
    for (;;) {
      const next = this.#next();
      if (next instanceof Promise) return this.#runLater(next);
      const done = this.#add(next);
      if (done !== undefined) return done;
    }
  }

  async #runLater(first: Next) {
    for (let next = first; ; next = this.#next()) {
      // Most members complete synchronously, and awaiting them would cost more than they do.
      const done = this.#add(next instanceof Promise ? await next : next);
      if (done !== undefined) return done;
    }
  }

  /** Appends a response to the text; returns what is sent if that was the last, or the text is long. */
  #add(response: Response | undefined) {
    if (response === undefined) return this.#send(`${this.#text}]`);
    const whole = textOf(response);
    if (whole === undefined || this.#text.length + whole.length > MAX_WHOLE_BYTES) {
      return { ...this.#send(this.#write(response)), isExecuting: true };
    }
    this.#text += this.#separator() + whole;
    return undefined;
  }

  /** The methods that wait for their response to be sent are called back then. */
  #send(part: Part) {
    const sent = () => {
      for (const follow of this.#followers) follow();
    };
    return { outcome: "answered" as const, parts: [part], sent };
  }

  /** Executes members until one has a response; `undefined` after the last. */
  #next(): Next {
    for (;;) {
      const { now } = this.#body;
      if (now - this.#turnedAt >= MAX_BUSY_MS) return this.#nextInLaterTurn();
      if (this.#index >= this.#members.length) return undefined;
      const response = this.#respond(this.#members[this.#index], this.#findRefusal());
      this.#index += 1;
      if (response instanceof Promise) return this.#nextLater(response);
      // A member that was executed has read the clock itself.
      if (this.#body.now === now) this.#body.readClock();
      if (response !== undefined) return this.#note(response);
    }
  }

  async #nextInLaterTurn(): Promise<Response | undefined> {
    this.#hasWaited = true;
    await yieldToLoop();
    this.#turnedAt = this.#body.readClock();
    return this.#next();
  }

  async #nextLater(response: Promise<Response>): Promise<Response> {
    this.#hasWaited = true;
    const ready = await response;
    this.#body.readClock();
    return this.#note(ready);
  }

  #note(response: Response): Response {
    if (response.sent !== undefined) this.#followers.push(response.sent);
    this.#bytes += sizeOf(response.parts);
    return response;
  }

  /** The text so far, a response and those that follow, as JSON chunks. */
  async *#write(first: Response): AsyncGenerator<string | Uint8Array> {
    this.#hasWaited = true;
    yield this.#text + this.#separator();
    yield* this.#writeParts(first);
    for (;;) {
      // The caller took its time to read the responses before.
      this.#body.readClock();
      const next = await this.#next();
      if (next === undefined) break;
      yield ",";
      yield* this.#writeParts(next);
    }
    yield "]";
  }

  #separator(): string {
    return this.#text === "[" ? "" : ",";
  }

  async *#writeParts({ parts, release }: Response): AsyncGenerator<string | Uint8Array> {
    try {
      for (const part of parts) {
        if (isWhole(part)) yield part;
        else if (part instanceof JsonPieces) yield* part;
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
    const { client } = this.#body;
    if (this.#hasWaited && client.closed.aborted) return RpcError.timeout();
    const { budget } = client;
    if (budget === undefined || this.#bytes <= budget.maxBatchBytes) return undefined;
    budget.exceeded("batch");
    return RpcError.responseTooLarge();
  }
}

/** The response when it is short text. */
function textOf({ parts, release }: Response): string | undefined {
  const [only] = parts;
  return parts.length === 1 && release === undefined && typeof only === "string" ? only : undefined;
}

function isWhole(part: Part): part is string | Uint8Array {
  return typeof part === "string" || part instanceof Uint8Array;
}
