import { LimitExceeded, type RpcError } from "./errors.js";

/** A piece of an answer: text, bytes, or more pieces that are still to come. */
export type Part = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/**
 * How a body was dealt with, for listeners that have status codes.
 *
 * `unparsable` is a body without any request in it, `invalid` a single request of the wrong shape or
 * one whose answer is the parse error, `refused` one whose caller may not do it, `limited` one whose
 * caller has to wait, `silent` a notification, and `answered` all else.
 */
export type Outcome = "answered" | "silent" | "unparsable" | "invalid" | "refused" | "limited";

/** What goes back to the caller: the parts of one JSON text, none for a notification. */
export interface Answer {
  readonly outcome: Outcome;
  readonly parts: readonly Part[];
  /** When a limited caller may try again. */
  readonly retryAfterMs?: number;
  /** Whether methods are still executed while it is sent, as in a long batch. */
  readonly isExecuting?: boolean;
  /** To be called by listeners that can push, once nothing they send can overtake this answer. */
  readonly sent?: () => void;
  /** To be called when it was sent or dropped: gives back the memory that it takes. */
  readonly release?: () => void;
}

/** The response to one request. */
export interface Response {
  readonly parts: readonly Part[];
  readonly error?: RpcError;
  /** To be called when it is on its way. */
  readonly sent?: () => void;
  /** To be called when it was sent or dropped. */
  readonly release?: () => void;
}

/** A response with a result that is JSON already. */
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

/** The answer to a single request. */
export function answerTo({ parts, error, sent, release }: Response): Answer {
  const limited = error instanceof LimitExceeded && { retryAfterMs: error.retryAfterMs };
  const answer = { outcome: outcomeOf(error), parts, ...limited };
  if (sent === undefined && release === undefined) return answer;
  return { ...answer, ...(sent && { sent }), ...(release && { release }) };
}

/** The size of what is in memory of an answer: characters of texts, which are nearly all ASCII, and bytes. */
export function sizeOf(parts: readonly Part[]): number {
  let size = 0;
  for (const part of parts) {
    if (typeof part === "string" || part instanceof Uint8Array) size += part.length;
  }
  return size;
}

/** Whether pieces of an answer are still to be made. */
export function isStreamed(parts: readonly Part[]): boolean {
  return parts.some((part) => typeof part !== "string" && !(part instanceof Uint8Array));
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
