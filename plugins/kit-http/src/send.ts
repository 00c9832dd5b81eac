import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createDeflate, createGzip, deflate, gzip } from "node:zlib";
import type { Part } from "@plinth/core";

/** Below this, compressing costs more than it saves. */
const MIN_COMPRESSED_BYTES = 1024;

const compressors = {
  gzip: { whole: promisify(gzip), stream: createGzip },
  deflate: { whole: promisify(deflate), stream: createDeflate },
};

type Encoding = keyof typeof compressors;

/** What goes out, and what the client can read. */
export interface HttpAnswer {
  readonly status: number;
  /** None for answers that clients know without one. */
  readonly contentType: string | undefined;
  readonly parts: readonly Part[];
  readonly acceptEncoding: string | undefined;
}

/**
 * Sends a body of texts, bytes and streams, compressed when the client asks for it.
 *
 * One short text, which is what most answers are, is sent at once.
 */
export function sendParts(response: ServerResponse, answer: HttpAnswer): Promise<void> | undefined {
  const { parts } = answer;
  const [only = ""] = parts;
  const encoding = findEncoding(answer.acceptEncoding);
  if (parts.length > 1 || typeof only !== "string") return sendStream(response, answer, encoding);
  if (encoding !== undefined && only.length >= MIN_COMPRESSED_BYTES) {
    return sendCompressed(response, answer, only, encoding);
  }
  const headers = headersOf(answer);
  headers["content-length"] = Buffer.byteLength(only);
  response.writeHead(answer.status, headers).end(only);
  return undefined;
}

async function sendCompressed(
  response: ServerResponse,
  answer: HttpAnswer,
  text: string,
  encoding: Encoding,
): Promise<void> {
  const bytes = await compressors[encoding].whole(text);
  const headers = { "content-encoding": encoding, "content-length": bytes.length };
  response.writeHead(answer.status, { ...headersOf(answer), ...headers }).end(bytes);
}

async function sendStream(
  response: ServerResponse,
  answer: HttpAnswer,
  encoding: Encoding | undefined,
): Promise<void> {
  const source = Readable.from(inPieces(answer.parts));
  if (encoding === undefined) {
    response.writeHead(answer.status, headersOf(answer));
    await pipeline(source, response);
  } else {
    response.writeHead(answer.status, { ...headersOf(answer), "content-encoding": encoding });
    await pipeline(source, compressors[encoding].stream(), response);
  }
}

function headersOf({ contentType }: HttpAnswer): OutgoingHttpHeaders {
  return contentType === undefined
    ? { vary: "origin" }
    : { "content-type": contentType, vary: "origin" };
}

async function* inPieces(parts: readonly Part[]): AsyncGenerator<string | Uint8Array> {
  for (const part of parts) {
    if (typeof part === "string" || part instanceof Uint8Array) yield part;
    else yield* part;
  }
}

function findEncoding(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined) return undefined;
  if (/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accepted)) return "gzip";
  if (/\bdeflate\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accepted)) return "deflate";
  return undefined;
}
