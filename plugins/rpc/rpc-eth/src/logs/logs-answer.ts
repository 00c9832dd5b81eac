import { type Compatibility, stream, yieldToLoop } from "@plinth/core";
import type { StreamResult } from "@plinth/core/rpc";
import { type LogPieces, logObject, type PlacedLog } from "@plinth/kit-rpc";

/** How logs are formatted for the caller, and whether it is still connected. */
export interface LogsReader {
  readonly compatibility: Compatibility;
  readonly signal: AbortSignal;
}

/**
 * The logs of a search in their RPC form: at once if it is short, otherwise streamed as they are
 * found.
 */
export async function logsAnswer(
  pieces: LogPieces,
  { compatibility, signal }: LogsReader,
): Promise<readonly ReturnType<typeof logObject>[] | StreamResult> {
  const toObject = (log: PlacedLog) => logObject(log, compatibility);
  const { done, value } = await pieces.next();
  return done ? value.map(toObject) : stream(jsonOf(value, stoppable(pieces, signal), toObject));
}

async function* jsonOf(
  first: readonly PlacedLog[],
  rest: Pick<LogPieces, "next">,
  toObject: (log: PlacedLog) => object,
): AsyncGenerator<string> {
  let before = "[";
  let piece: { readonly done?: boolean; readonly value: readonly PlacedLog[] } = { value: first };
  for (;;) {
    if (piece.value.length > 0) {
      yield `${before}${piece.value.map((log) => JSON.stringify(toObject(log))).join(",")}`;
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
