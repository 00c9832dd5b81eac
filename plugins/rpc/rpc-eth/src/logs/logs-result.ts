import { type Compatibility, stream, yieldToLoop } from "@plinth/core";
import { type JsonPieces, RawResult, type StreamResult } from "@plinth/core/rpc";
import type { FoundLog, LogPieces } from "@plinth/kit-rpc";
import { encodeLogs } from "./encode-logs.js";

/** How logs are formatted for the caller, and whether it is still connected. */
export interface LogsReader {
  readonly compatibility: Compatibility;
  readonly signal: AbortSignal;
}

/** The logs of a search as JSON: at once if it is short, otherwise streamed as they are found. */
export async function logsResult(
  pieces: LogPieces,
  { compatibility, signal }: LogsReader,
): Promise<RawResult | JsonPieces | StreamResult> {
  const { done, value } = await pieces.next();
  if (!done) return stream(jsonOf(value, stoppable(pieces, signal), compatibility));
  if (value.length === 0) return new RawResult("[]");
  const json = encodeLogs(value, compatibility, { before: "[", after: "]" });
  // Until they are sent, pieces keep the receipts of their blocks, which no limit counts.
  return receiptBytesOf(value) > json.byteLength ? new RawResult(json.join()) : json;
}

/** The size of the receipts that contain the logs. */
function receiptBytesOf(logs: readonly FoundLog[]): number {
  let last: Uint8Array | undefined;
  let size = 0;
  for (const { log } of logs) {
    if (log.bytes !== last) size += log.bytes.length;
    last = log.bytes;
  }
  return size;
}

async function* jsonOf(
  first: readonly FoundLog[],
  rest: Pick<LogPieces, "next">,
  compatibility: Compatibility,
): AsyncGenerator<string | Uint8Array> {
  let before = "[";
  let piece: { readonly done?: boolean; readonly value: readonly FoundLog[] } = { value: first };
  for (;;) {
    if (piece.value.length > 0) {
      yield* encodeLogs(piece.value, compatibility, { before, after: "" });
      before = ",";
    }
    if (piece.done) break;
    piece = await rest.next();
  }
  yield before === "[" ? "[]" : "]";
}

/** Yields to the event loop before every piece, and ends the search when the caller has left. */
function stoppable(pieces: LogPieces, signal: AbortSignal): Pick<LogPieces, "next"> {
  return {
    async next() {
      await yieldToLoop();
      signal.throwIfAborted();
      return pieces.next();
    },
  };
}
