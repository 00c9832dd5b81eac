import { type Codec, type Method, t } from "@plinth/core";
import type { Part } from "@plinth/core/rpc";
import { JsonPieces, RawResult, StreamResult } from "@plinth/core/rpc";

/** Text without characters that JSON escapes, such as hex: quotes are all that it needs. */
const PLAIN = /^\w*$/;

/** The result of a handler as JSON: text, bytes, or chunks. */
export function encodeResult(method: Pick<Method<unknown>, "result">, result: unknown): Part {
  if (result instanceof RawResult) return result.json;
  if (result instanceof JsonPieces) return result;
  if (result instanceof StreamResult) return result.chunks;
  const encoded = method.result.encode(result);
  if (typeof encoded === "string" && (isHex(method.result, result) || PLAIN.test(encoded))) {
    return `"${encoded}"`;
  }
  // Not every result has JSON: undefined or a function becomes null.
  return JSON.stringify(encoded) ?? "null";
}

/** Whether a value is encoded as hex digits, which saves to search them for others. */
function isHex({ encode }: Codec<unknown>, value: unknown): boolean {
  if (typeof value === "bigint") return encode === t.quantity.encode;
  return value instanceof Uint8Array && encode === t.data.encode;
}
