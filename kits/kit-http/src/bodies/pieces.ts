import { type InMemoryPart, JsonPieces, type Part } from "@plinth/core/rpc";

/** Maximum chunk size, so that the progress of a slow reader is visible. */
export const MAX_PIECE = 64 * 1024;

/** The parts of a response in chunks of at most 64 KiB; text is never split within a character. */
export async function* piecesOf(parts: readonly Part[]): AsyncGenerator<string | Uint8Array> {
  for (const part of parts) {
    if (typeof part === "string" || part instanceof Uint8Array) yield* cut(part);
    else for await (const piece of part) yield* cut(piece);
  }
}

/** Cuts a part into chunks of at most 64 KiB; those of `JsonPieces` are valid until the next one is taken. */
export function* cut(whole: InMemoryPart): Generator<string | Uint8Array> {
  if (whole instanceof JsonPieces) {
    for (const piece of whole) yield* cut(piece);
    return;
  }
  if (whole.length <= MAX_PIECE) {
    yield whole;
    return;
  }
  let start = 0;
  while (start < whole.length) {
    const end = typeof whole === "string" ? endOfPiece(whole, start) : start + MAX_PIECE;
    yield typeof whole === "string" ? whole.slice(start, end) : whole.subarray(start, end);
    start = end;
  }
}

/** A character outside the basic plane is two units, which must stay together. */
function endOfPiece(text: string, start: number): number {
  const end = start + MAX_PIECE;
  const isHighSurrogate = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return isHighSurrogate ? end - 1 : end;
}
