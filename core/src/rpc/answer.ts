import type { RpcError } from "./errors.js";

/** A piece of an answer: text, bytes, or more pieces that are still to come. */
export type Part = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/**
 * How a body was dealt with, for listeners that have status codes.
 *
 * `unparsable` is a body without any request in it, `invalid` a single request of the wrong shape or
 * one whose answer is the parse error, `refused` one whose caller may not do it, `silent` a
 * notification, and `answered` all else.
 */
export type Outcome = "answered" | "silent" | "unparsable" | "invalid" | "refused";

/** What goes back to the caller: the parts of one JSON text, none for a notification. */
export interface Answer {
  readonly outcome: Outcome;
  readonly parts: readonly Part[];
  /** To be called by listeners that can push, once nothing they send can overtake this answer. */
  readonly sent?: () => void;
}

/** The response to one request. */
export interface Response {
  readonly parts: readonly Part[];
  readonly error?: RpcError;
  /** To be called when it is on its way. */
  readonly sent?: () => void;
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
export function answerTo({ parts, error, sent }: Response): Answer {
  switch (error?.rpcCode) {
    case -32600:
    case -32700:
      return { outcome: "invalid", parts };
    case -40100:
      return { outcome: "refused", parts };
    default:
      return sent === undefined
        ? { outcome: "answered", parts }
        : { outcome: "answered", parts, sent };
  }
}

/** The answer to a batch: the list of the responses. */
export function answerToBatch(responses: readonly Response[]): Answer {
  const parts: Part[] = ["["];
  for (const [index, response] of responses.entries()) {
    if (index > 0) parts.push(",");
    parts.push(...response.parts);
  }
  parts.push("]");
  const answer = { outcome: "answered", parts: joinTexts(parts) } as const;
  const callbacks = responses.flatMap(({ sent }) => sent ?? []);
  if (callbacks.length === 0) return answer;
  return {
    ...answer,
    sent() {
      for (const sent of callbacks) sent();
    },
  };
}

/** Joins neighbouring texts, so that an answer without bytes or streams is one text. */
function joinTexts(parts: readonly Part[]): readonly Part[] {
  const joined: Part[] = [];
  let texts: string[] = [];
  for (const part of parts) {
    if (typeof part === "string") texts.push(part);
    else {
      joined.push(texts.join(""), part);
      texts = [];
    }
  }
  joined.push(texts.join(""));
  return joined;
}
