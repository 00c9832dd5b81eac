import { messageOf } from "@plinth/core";

/** A failure that may be over when the request is sent again. */
export class TransientFailure extends Error {
  /** The delay that the server asks for. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { retryAfterMs, cause }: FailureDetails = {}) {
    super(message, { cause });
    this.retryAfterMs = retryAfterMs;
  }
}

interface FailureDetails {
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** A request, and the limits of its response. */
export interface PostSettings {
  readonly body: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal: AbortSignal | undefined;
}

/** Too many requests, and errors of a server or of what is in front of it. */
const TRANSIENT = [408, 425, 429, 500, 502, 503, 504];
const SHOWN_CHARACTERS = 200;

/** Sends JSON, and returns the JSON of the response. */
export async function postJson(url: string, settings: PostSettings): Promise<unknown> {
  const { body, headers, timeoutMs, maxBytes, signal } = settings;
  const timeout = AbortSignal.timeout(timeoutMs);
  const request = {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...Object.fromEntries(headers) },
    // An address that redirects would get the headers.
    redirect: "manual" as const,
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  };
  try {
    const response = await fetch(url, request);
    const bytes = await readBytes(response, maxBytes);
    const json = parseOrUndefined(bytes);
    // Nodes send errors of JSON-RPC with other codes than 200, too.
    if (response.ok || (json !== undefined && !TRANSIENT.includes(response.status))) {
      if (json === undefined) throw new Error(`the response is not JSON: ${shown(bytes)}`);
      return json;
    }
    throw failureOf(response, bytes);
  } catch (error) {
    if (timeout.aborted) throw new TransientFailure(`no complete response after ${timeoutMs} ms`);
    // What `fetch` throws if there is no connection.
    if (error instanceof TypeError) {
      throw new TransientFailure(messageOf(error.cause ?? error), { cause: error });
    }
    throw error;
  }
}

function failureOf(response: Response, bytes: Uint8Array): Error {
  const { status, statusText, headers } = response;
  const message = `HTTP ${status} ${statusText}: ${shown(bytes)}`;
  if (!TRANSIENT.includes(status)) return new Error(message);
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return new TransientFailure(message, {
    retryAfterMs: seconds >= 0 ? seconds * 1000 : undefined,
  });
}

async function readBytes({ headers, body }: Response, maxBytes: number): Promise<Uint8Array> {
  const declared = Number(headers.get("content-length") ?? 0);
  const parts: Uint8Array[] = [];
  let bytes = 0;
  if (declared > maxBytes) await body?.cancel();
  else {
    for await (const part of body ?? []) {
      bytes += part.length;
      if (bytes > maxBytes) break;
      parts.push(part);
    }
  }
  if (bytes <= maxBytes && declared <= maxBytes) return Buffer.concat(parts);
  throw new Error(`a response has more than ${maxBytes} bytes`);
}

function parseOrUndefined(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}

function shown(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.subarray(0, SHOWN_CHARACTERS)).toString();
  return JSON.stringify(text);
}
