import { LimitExceeded, type RpcError } from "./errors.js";
import { JsonPieces } from "./json-pieces.js";

/** A chunk of a response: text, bytes, or further chunks, which are in memory if they are `JsonPieces`. */
export type Part = string | Uint8Array | JsonPieces | AsyncIterable<string | Uint8Array>;

/** A chunk that is not produced later. */
export type InMemoryPart = string | Uint8Array | JsonPieces;

/**
 * The outcome of a body, for listeners with status codes.
 *
 * `unparsable` is a body without any request in it, `invalid` a single malformed request or one
 * whose response is the parse error, `refused` one whose caller is not permitted, `limited` one
 * whose caller is throttled, `silent` a notification, and `answered` everything else.
 */
export type Outcome = "answered" | "silent" | "unparsable" | "invalid" | "refused" | "limited";

/** The response to the caller: the parts of one JSON text, empty for a notification. */
export interface Answer {
  readonly outcome: Outcome;
  readonly parts: readonly Part[];
  /** When a throttled caller may retry. */
  readonly retryAfterMs?: number;
  /** Whether methods are still executed while it is sent, as in a long batch. */
  readonly isExecuting?: boolean;
  /** Call it on listeners that can push, once nothing they send can overtake this response. */
  readonly sent?: () => void;
  /** Call it when the response was sent or dropped: releases its memory. */
  readonly release?: () => void;
}

/** The response to one request. */
export interface Response {
  readonly parts: readonly Part[];
  readonly error?: RpcError;
  /** Call it when it is being sent. */
  readonly sent?: () => void;
  /** Call it when it was sent or dropped. */
  readonly release?: () => void;
}

/** A response with a result that is already JSON. */
export function respondWith(idText: string, json: Part): Response {
  if (typeof json === "string")
    return { parts: [`{"jsonrpc":"2.0","id":${idText},"result":${json}}`] };
  return { parts: [`{"jsonrpc":"2.0","id":${idText},"result":`, json, "}"] };
}

/** A response with an error. */
export function respondWithError(idText: string, error: RpcError): Response {
  const { rpcCode: code, message, data } = error;
  const body = JSON.stringify(data === undefined ? { code, message } : { code, message, data });
  return { parts: [`{"jsonrpc":"2.0","id":${idText},"error":${body}}`], error };
}

/** The body for a single response. */
export function answerTo({ parts, error, sent, release }: Response): Answer {
  if (error === undefined && sent === undefined && release === undefined) {
    return { outcome: "answered", parts };
  }
  const limited = error instanceof LimitExceeded && { retryAfterMs: error.retryAfterMs };
  const answer = { outcome: outcomeOf(error), parts, ...limited };
  return { ...answer, ...(sent && { sent }), ...(release && { release }) };
}

/**
 * The size of the buffered part of a response: characters of strings, which are nearly all ASCII,
 * and bytes.
 */
export function sizeOf(parts: readonly Part[]): number {
  let size = 0;
  for (const part of parts) {
    if (part instanceof JsonPieces) size += part.byteLength;
    else if (typeof part === "string" || part instanceof Uint8Array) size += part.length;
  }
  return size;
}

/** Whether chunks of a response are still pending. */
export function isStreamed(parts: readonly Part[]): boolean {
  return !parts.every(isInMemory);
}

/** Whether a part needs nothing but memory to be sent. */
export function isInMemory(part: Part): part is InMemoryPart {
  return typeof part === "string" || part instanceof Uint8Array || part instanceof JsonPieces;
}

function outcomeOf(error: RpcError | undefined): Outcome {
  if (error instanceof LimitExceeded) return "limited";
  switch (error?.rpcCode) {
    case -32600:
    case -32700:
      return "invalid";
    case -40100:
      return "refused";
    default:
      return "answered";
  }
}
