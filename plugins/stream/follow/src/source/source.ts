import { DecodeError, type Hash, messageOf, t } from "@plinth/core";
import { readDescriptor, type StreamDescriptor } from "@plinth/plugin-changes/api";
import { addressOf } from "./address.js";
import { parseSent, readLines, readText } from "./read-body.js";
import { type ReadChange, type ReadRecord, readChange, readWithBlock } from "./read-change.js";
import { type SourceResponse, send } from "./send.js";
import { SourceProblem } from "./source-problem.js";
import type { TimeLimits } from "./time-limit.js";
import type { TokenFile } from "./token-file.js";

/** The records that are requested. */
export interface WantedRange {
  readonly sequence: bigint;
  /** The hash of the record before. */
  readonly previous: Hash;
  readonly limit: number;
  /** How long the source waits for the first record. */
  readonly waitMs?: number;
}

/** A call of JSON-RPC. */
export interface SentCall {
  readonly method: string;
  readonly params: readonly unknown[];
  /** How long the source may take until it responds, besides the usual limit. */
  readonly waitMs?: number;
}

/** Limits of what a source sends. */
export interface SourceLimits extends Partial<TimeLimits> {
  /** Of a record, as JSON. */
  readonly maxRecordBytes?: number;
}

const MAX_RECORD_BYTES = 128 * 2 ** 20;
/** Of a description of the stream, and of an error. */
const MAX_SMALL_BYTES = 64 * 2 ** 10;
const MAX_RESULT_BYTES = 64 * 2 ** 20;
const UNAUTHORIZED = 401;
const OK = 200;
const LAST_SEQUENCE = "x-plinth-last-sequence";
const SHOWN_CHARACTERS = 500;

/** A node with a stream of changes, over HTTP; everything it does wrong is a `SourceProblem`. */
export class Source {
  /** For messages: its address without the path, which may be secret. */
  readonly name: string;
  readonly #base: string;
  readonly #token: TokenFile | undefined;
  readonly #limits: SourceLimits;
  /** The token that was sent last. */
  #sent: string | undefined;

  constructor(base: string, token?: TokenFile, limits: SourceLimits = {}) {
    this.name = new URL(base).origin;
    this.#base = base;
    this.#token = token;
    this.#limits = limits;
  }

  /** The stream as it is now. */
  async describe(signal: AbortSignal): Promise<StreamDescriptor> {
    for await (const text of this.#get("changes/stream", signal, {}, (response) =>
      this.#readAll(response, MAX_SMALL_BYTES),
    )) {
      return this.#decode("the description of its stream", text, readDescriptor);
    }
    throw new SourceProblem(this.name, "it does not describe its stream");
  }

  /** Records in their order; `lastKnown` is called with the number of the last one that the source has. */
  async *read(
    { sequence, previous, limit, waitMs = 0 }: WantedRange,
    signal: AbortSignal,
    lastKnown: (sequence: bigint) => void,
  ): AsyncGenerator<ReadChange, undefined> {
    const query = new URLSearchParams({
      ...{ from: String(sequence), limit: String(limit), state: "true", previous },
      ...(waitMs > 0 ? { wait: String(waitMs) } : {}),
    });
    const maxBytes = this.#limits.maxRecordBytes ?? MAX_RECORD_BYTES;
    const lines = this.#get(`changes?${query}`, signal, { waitMs }, (response) => {
      const last = this.#lastSequenceOf(response);
      if (last + 1n < sequence) {
        const problem = `its stream ends with record ${last}, but it has had record ${sequence - 1n}`;
        throw new SourceProblem(this.name, problem);
      }
      lastKnown(last);
      return readLines(response.body, { name: this.name, maxBytes });
    });
    let next = sequence;
    for await (const line of lines) {
      if (next >= sequence + BigInt(limit)) {
        throw new SourceProblem(this.name, `it sent more than the ${limit} records requested`);
      }
      yield await this.#decodeRecord(next, line, readChange);
      next += 1n;
    }
  }

  /** One record, whatever it follows, with its block if that was added. */
  async readOne(sequence: bigint, signal: AbortSignal): Promise<ReadRecord> {
    const maxBytes = this.#limits.maxRecordBytes ?? MAX_RECORD_BYTES;
    const path = `changes?${new URLSearchParams({ from: String(sequence), limit: "1" })}`;
    for await (const line of this.#get(path, signal, {}, ({ body }) =>
      readLines(body, { name: this.name, maxBytes }),
    )) {
      const found = await this.#decodeRecord(sequence, line, readWithBlock);
      if (found.record.sequence === sequence) return found;
      throw new SourceProblem(
        this.name,
        `it sent the record ${found.record.sequence} instead of ${sequence}`,
      );
    }
    throw new SourceProblem(this.name, `it did not send the record ${sequence} of its stream`);
  }

  /** The response to a request of JSON-RPC, whatever it is: its result or its error. */
  async call({ method, params, waitMs = 0 }: SentCall, signal: AbortSignal): Promise<object> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    for await (const text of this.#get("", signal, { body, waitMs }, (response) =>
      this.#readAll(response, MAX_RESULT_BYTES),
    )) {
      const json = parseSent(this.name, text);
      if (typeof json === "object" && json !== null && !Array.isArray(json)) return json;
    }
    throw new SourceProblem(this.name, `its response to ${method} is not one of JSON-RPC`);
  }

  async *#get<T>(
    path: string,
    signal: AbortSignal,
    with_: { readonly body?: string; readonly waitMs?: number },
    read: (response: SourceResponse) => AsyncGenerator<T, undefined>,
  ): AsyncGenerator<T, undefined> {
    const { name } = this;
    const token = await this.#readToken();
    const request = {
      ...{ name, url: addressOf(this.#base, path), token, limits: this.#limits, signal },
      ...with_,
    };
    const isCall = with_.body !== undefined;
    yield* send(
      request,
      async function* (this: Source, response: SourceResponse) {
        if (response.status === UNAUTHORIZED) this.#token?.forget();
        // Nodes send errors of JSON-RPC with other codes than 200, too.
        const isRead = response.status === OK || (isCall && response.status !== UNAUTHORIZED);
        if (isRead) return yield* read(response);
        const text = await readText(response.body, { name, maxBytes: MAX_SMALL_BYTES });
        throw new SourceProblem(name, `HTTP ${response.status}: ${this.#shown(reasonIn(text))}`, {
          status: response.status,
        });
      }.bind(this),
    );
  }

  async #readToken(): Promise<string | undefined> {
    try {
      this.#sent = await this.#token?.read();
      return this.#sent;
    } catch (error) {
      throw new SourceProblem(this.name, messageOf(error), { cause: error });
    }
  }

  async *#readAll({ body }: SourceResponse, maxBytes: number): AsyncGenerator<string, undefined> {
    yield await readText(body, { name: this.name, maxBytes });
  }

  #lastSequenceOf({ headers }: SourceResponse): bigint {
    try {
      return t.quantity.decode(headers[LAST_SEQUENCE], LAST_SEQUENCE);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      throw new SourceProblem(
        this.name,
        `a response of its stream has no valid header: ${error.message}`,
      );
    }
  }

  #decodeRecord<T>(
    sequence: bigint,
    line: string,
    read: (json: unknown) => Promise<T>,
  ): Promise<T> {
    const what = `record ${sequence}`;
    return this.#decode(what, line, (json) => {
      const { error } = Object(json);
      if (error === undefined) return read(json);
      throw new SourceProblem(this.name, `${what}: ${this.#shown(Object(error).message)}`);
    });
  }

  /** What the source says, for messages: some servers repeat the headers of a request that they reject. */
  #shown(text: unknown): string {
    if (typeof text !== "string") return "no reason";
    const token = this.#sent;
    return (token === undefined ? text : text.replaceAll(token, "…")).slice(0, SHOWN_CHARACTERS);
  }

  async #decode<T>(
    what: string,
    text: string,
    decode: (json: unknown) => T | Promise<T>,
  ): Promise<T> {
    const json = parseSent(this.name, text);
    try {
      return await decode(json);
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      throw new SourceProblem(this.name, `${what}: ${error.message}`);
    }
  }
}

/** The message of an error of the routes of the stream, or what was sent instead. */
function reasonIn(text: string): unknown {
  try {
    return JSON.parse(text).error.message;
  } catch {
    return text;
  }
}
