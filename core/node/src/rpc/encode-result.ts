import type { Method } from "@plinth/core";
import type { Part } from "@plinth/core/rpc";
import { RawResult, StreamResult } from "@plinth/core/rpc";

/** The result of a handler as JSON: text, bytes, or pending chunks. */
export function encodeResult(method: Pick<Method<unknown>, "result">, result: unknown): Part {
  if (result instanceof RawResult) return result.json;
  if (result instanceof StreamResult) return result.chunks;
  // Not every result has JSON: undefined or a function becomes null.
  return JSON.stringify(method.result.encode(result)) ?? "null";
}
