import { type Compatibility, stream, yieldToLoop } from "@plinth/core";
import { RawResult, type StreamResult } from "@plinth/core/rpc";
import { type LogPieces, logWriter, type PlacedLog } from "@plinth/kit-rpc";
import { encodeLogs } from "./encode-logs.js";

/** How logs are formatted for the caller, and whether it is still connected. */
export interface LogsReader {
  readonly compatibility: Compatibility;
  readonly signal: AbortSignal;
}

/** The logs of a search as JSON: at once if it is short, otherwise streamed as they are found. */
export async function logsAnswer(
  pieces: LogPieces,
  { compatibility, signal }: LogsReader,
): Promise<RawResult | StreamResult> {
  const write = logWriter(compatibility);
  const { done, value } = await pieces.next();
  if (!done) return stream(jsonOf(value, stoppable(pieces, signal), write));
  return new RawResult(encodeLogs(value, write, { before: "[", after: "]" }));
}

async function* jsonOf(
  first: readonly PlacedLog[],
  rest: Pick<LogPieces, "next">,
  write: (log: PlacedLog) => string,
): AsyncGenerator<string | Uint8Array> {
  let before = "[";
  let piece: { readonly done?: boolean; readonly value: readonly PlacedLog[] } = { value: first };
  for (;;) {
    if (piece.value.length > 0) {
      yield encodeLogs(piece.value, write, { before, after: "" });
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
