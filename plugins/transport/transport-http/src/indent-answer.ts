import { IndentedJson } from "@plinth/core/primitives";
import type { Part } from "@plinth/core/rpc";
import { piecesOf } from "@plinth/kit-http";

/** The same JSON text, indented. */
export function indentAnswer(parts: readonly Part[]): readonly Part[] {
  const indented = new IndentedJson();
  if (parts.every((part) => typeof part === "string")) {
    return [parts.map((part) => indented.push(part)).join("")];
  }
  return [indentPieces(parts, indented)];
}

async function* indentPieces(
  parts: readonly Part[],
  indented: IndentedJson,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  for await (const piece of piecesOf(parts)) {
    const text = typeof piece === "string" ? piece : decoder.decode(piece, { stream: true });
    yield indented.push(text);
  }
}
