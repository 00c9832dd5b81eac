import { setImmediate } from "node:timers/promises";
import {
  type Compatibility,
  type LogPieces,
  logObject,
  type PlacedLog,
  type StreamResult,
  stream,
} from "@plinth/core";

/** The logs of a search as callers see them: at once when it is short, else written as they are found. */
export async function logsAnswer(
  pieces: LogPieces,
  compatibility: Compatibility,
): Promise<readonly ReturnType<typeof logObject>[] | StreamResult> {
  const toObject = (log: PlacedLog) => logObject(log, compatibility);
  const { done, value } = await pieces.next();
  return done ? value.map(toObject) : stream(jsonOf(value, pieces, toObject));
}

async function* jsonOf(
  first: readonly PlacedLog[],
  rest: LogPieces,
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
    await setImmediate();
    piece = await rest.next();
  }
  yield before === "[" ? "[]" : "]";
}
