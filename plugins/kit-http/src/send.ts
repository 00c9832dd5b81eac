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

/** Sends a body of texts, bytes and streams, compressed when the client asks for it. */
export async function sendParts(
  response: ServerResponse,
  answer: {
    readonly status: number;
    readonly headers: OutgoingHttpHeaders;
    readonly parts: readonly Part[];
    readonly acceptEncoding: string | undefined;
  },
): Promise<void> {
  const { status, headers, parts } = answer;
  const [only] = parts;
  const encoding = findEncoding(answer.acceptEncoding);
  if (parts.length === 1 && typeof only === "string") {
    if (encoding === undefined || only.length < MIN_COMPRESSED_BYTES) {
      response.writeHead(status, headers).end(only);
      return;
    }
    const bytes = await compressors[encoding].whole(only);
    response.writeHead(status, { ...headers, "content-encoding": encoding }).end(bytes);
    return;
  }
  const source = Readable.from(inPieces(parts));
  if (encoding === undefined) {
    response.writeHead(status, headers);
    await pipeline(source, response);
  } else {
    response.writeHead(status, { ...headers, "content-encoding": encoding });
    await pipeline(source, compressors[encoding].stream(), response);
  }
}

async function* inPieces(parts: readonly Part[]): AsyncGenerator<string | Uint8Array> {
  for (const part of parts) {
    if (typeof part === "string" || part instanceof Uint8Array) yield part;
    else yield* part;
  }
}

function findEncoding(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined) return undefined;
  if (/\bgzip\b(?!;\s*q=0(\D|$))/i.test(accepted)) return "gzip";
  if (/\bdeflate\b(?!;\s*q=0(\D|$))/i.test(accepted)) return "deflate";
  return undefined;
}
