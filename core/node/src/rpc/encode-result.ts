import type { Method } from "@plinth/core";
import type { Part } from "@plinth/core/rpc";
import { RawResult, StreamResult } from "@plinth/core/rpc";

/** The result of a handler as JSON: text, bytes, or pieces that are still to come. */
export function encodeResult(method: Pick<Method<unknown>, "result">, result: unknown): Part {
  if (result instanceof RawResult) return result.json;
  if (result instanceof StreamResult) return result.chunks;
  // Not everything a handler returns has JSON: nothing, or a function, is null.
  return JSON.stringify(method.result.encode(result)) ?? "null";
}
