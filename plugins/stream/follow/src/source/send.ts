import {
  type ClientRequest,
  type IncomingMessage,
  Agent as PlainAgent,
  request as requestPlain,
} from "node:http";
import { request as requestTls, Agent as TlsAgent } from "node:https";
import { PlinthError } from "@plinth/core";
import { SourceProblem } from "./source-problem.js";
import { TimeLimit, type TimeLimits } from "./time-limit.js";

/** A request to a source, with the limits of its response. */
export interface SourceRequest {
  /** For messages. */
  readonly name: string;
  readonly url: URL;
  readonly token: string | undefined;
  /** Sent as a POST; without it the request is a GET. */
  readonly body?: string;
  /** How long the source may wait before it responds, besides the usual limit. */
  readonly waitMs?: number;
  readonly limits?: Partial<TimeLimits> | undefined;
  readonly signal: AbortSignal;
}

/** The response to a request, before its body is read. */
export interface SourceResponse {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: AsyncIterable<Uint8Array>;
}

const AGENTS = {
  "http:": new PlainAgent({ keepAlive: true }),
  "https:": new TlsAgent({ keepAlive: true }),
};

/**
 * Sends a request, and passes its response to a reader; rejects with `SourceProblem` if the connection fails or a limit of time is
 * exceeded.
 *
 * A redirection is not followed: it would get the token.
 */
export async function* send<T>(
  settings: SourceRequest,
  read: (response: SourceResponse) => AsyncGenerator<T, undefined>,
): AsyncGenerator<T, undefined> {
  const { name, waitMs = 0, signal } = settings;
  signal.throwIfAborted();
  using limit = new TimeLimit(settings.limits);
  const request = open(settings);
  const ending = AbortSignal.any([signal, limit.signal]);
  const end = () => void request.destroy();
  ending.addEventListener("abort", end, { once: true });
  let response: IncomingMessage | undefined;
  try {
    limit.wait(waitMs);
    response = await responseTo(request, settings.body);
    limit.responded();
    const { statusCode: status = 0, headers } = response;
    yield* read({ status, headers, body: limitedBody(response, limit) });
  } catch (error) {
    signal.throwIfAborted();
    if (limit.reason !== undefined) throw new SourceProblem(name, limit.reason, { cause: error });
    const problem = connectionProblem(error);
    throw problem === undefined ? error : new SourceProblem(name, problem, { cause: error });
  } finally {
    ending.removeEventListener("abort", end);
    // One whose response is not read to its end would keep its connection.
    if (response?.complete !== true) request.destroy();
  }
}

function open({ url, token, body }: SourceRequest): ClientRequest {
  const options = {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
  };
  return url.protocol === "https:"
    ? requestTls(url, { ...options, agent: AGENTS["https:"] })
    : requestPlain(url, { ...options, agent: AGENTS["http:"] });
}

function responseTo(request: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on("error", reject);
    // After a switch of protocols, for example, there is neither a response nor an error.
    request.once("close", () => reject(new NoResponse()));
    request.once("response", (response) => {
      // The reader gets its errors; later ones do not matter.
      response.on("error", () => {});
      resolve(response);
    });
    request.end(body);
  });
}

/** The connection ended before a response. */
class NoResponse extends Error {
  readonly code = "NO_RESPONSE";

  constructor() {
    super("it closed the connection without a response");
  }
}

async function* limitedBody(
  response: IncomingMessage,
  limit: TimeLimit,
): AsyncGenerator<Uint8Array, undefined> {
  const parts = response[Symbol.asyncIterator]();
  for (;;) {
    limit.wait();
    const part = await parts.next();
    limit.received(part.done ? 0 : part.value.length);
    limit.signal.throwIfAborted();
    if (part.done) return;
    yield part.value;
  }
}

/** Why a connection failed; `undefined` for any other error. Those of sockets, of TLS and of the HTTP parser have codes. */
function connectionProblem(error: unknown): string | undefined {
  if (error instanceof PlinthError || !(error instanceof Error)) return undefined;
  const code: unknown = Reflect.get(error, "code");
  if (typeof code !== "string") return undefined;
  // The error of several addresses has no message.
  return error.message === "" ? code : error.message;
}
