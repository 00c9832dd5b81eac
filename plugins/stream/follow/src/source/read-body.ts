import { messageOf } from "@plinth/core";
import { parseJson } from "@plinth/core/codec";
import { SourceProblem } from "./source-problem.js";

const NEWLINE = 0x0a;

/** The lines of a body; rejects with `SourceProblem` as soon as one has more bytes than allowed. */
export async function* readLines(
  body: AsyncIterable<Uint8Array>,
  { name, maxBytes }: { readonly name: string; readonly maxBytes: number },
): AsyncGenerator<string, undefined> {
  let parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    let rest = part;
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      verifySize(name, bytes + end, maxBytes, "a record");
      yield textOf([...parts, rest.subarray(0, end)]);
      rest = rest.subarray(end + 1);
      parts = [];
      bytes = 0;
    }
    bytes += rest.length;
    verifySize(name, bytes, maxBytes, "a record");
    if (rest.length > 0) parts.push(rest);
  }
  if (bytes > 0) throw new SourceProblem(name, "the response ended within a record");
}

/** The whole body as text; rejects with `SourceProblem` if it has more bytes than allowed. */
export async function readText(
  body: AsyncIterable<Uint8Array>,
  { name, maxBytes }: { readonly name: string; readonly maxBytes: number },
): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body) {
    bytes += part.length;
    verifySize(name, bytes, maxBytes, "the response");
    parts.push(part);
  }
  return textOf(parts);
}

/** Parses JSON of a source; throws `SourceProblem` if it is none, or would take long. */
export function parseSent(name: string, text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new SourceProblem(name, `what it sent is not JSON that can be read: ${messageOf(error)}`);
  }
}

function verifySize(name: string, bytes: number, maxBytes: number, what: string): void {
  if (bytes > maxBytes) throw new SourceProblem(name, `${what} has more than ${maxBytes} bytes`);
}

function textOf(parts: readonly Uint8Array[]): string {
  const [only] = parts;
  const bytes = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}
