import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { createDeflate, createGzip, deflate, gzip } from "node:zlib";
import { Yielder } from "@plinth/core";
import { type InMemoryPart, isInMemory, JsonPieces, type Part } from "@plinth/core/rpc";
import { cut, MAX_PIECE, piecesOf } from "./pieces.js";
import type { ResponseGuard } from "./response-guard.js";

/** Below this, compressing costs more than it saves. */
const MIN_COMPRESSED_BYTES = 1024;

const compressors = {
  gzip: { whole: promisify(gzip), stream: createGzip },
  deflate: { whole: promisify(deflate), stream: createDeflate },
};

type Encoding = keyof typeof compressors;

/** What to send, and which encodings the client accepts. */
export interface HttpAnswer {
  readonly status: number;
  /** `undefined` for responses without a content type. */
  readonly contentType: string | undefined;
  readonly parts: readonly Part[];
  readonly acceptEncoding: string | undefined;
}

/**
 * Sends a body of texts, bytes and streams, compressed if the client accepts it.
 *
 * A single short text, as in most responses, is sent at once. The rest is written in chunks as the
 * client reads them; a client that does not read is disconnected. If all of it is in memory, its
 * length precedes it.
 */
export function sendParts(
  response: ServerResponse,
  answer: HttpAnswer,
  guard: ResponseGuard,
): Promise<void> | undefined {
  const { parts, status } = answer;
  const [only = ""] = parts;
  const headers = headersOf(answer);
  const encoding = findEncoding(answer.acceptEncoding);
  if (parts.length > 1 || typeof only !== "string" || only.length > MAX_PIECE) {
    const whole = encoding === undefined && parts.every(isInMemory) ? parts : undefined;
    return whole === undefined
      ? sendStream(response, answer, { encoding, guard })
      : sendWhole(response, { status, headers, parts: whole, guard });
  }
  if (encoding !== undefined && only.length >= MIN_COMPRESSED_BYTES) {
    return sendCompressed(response, answer, { text: only, encoding, guard });
  }
  const length = Buffer.byteLength(only);
  headers["content-length"] = length;
  response.writeHead(answer.status, headers);
  if (only !== "") {
    // At once: `end` would write it together with an empty chunk, which takes longer.
    response.cork();
    response.write(only, length === only.length ? "latin1" : "utf8");
    response.uncork();
  }
  end(response, undefined, guard);
  return undefined;
}

async function sendCompressed(
  response: ServerResponse,
  answer: HttpAnswer,
  {
    text,
    encoding,
    guard,
  }: { readonly text: string; readonly encoding: Encoding; readonly guard: ResponseGuard },
): Promise<void> {
  const bytes = await compressors[encoding].whole(text);
  const headers = { "content-encoding": encoding, "content-length": bytes.length };
  response.writeHead(answer.status, { ...headersOf(answer), ...headers });
  end(response, bytes, guard);
}

/** Sends parts that are in memory, as the client reads them. */
async function sendWhole(
  response: ServerResponse,
  {
    status,
    headers,
    parts,
    guard,
  }: {
    readonly status: number;
    readonly headers: OutgoingHttpHeaders;
    readonly parts: readonly InMemoryPart[];
    readonly guard: ResponseGuard;
  },
): Promise<void> {
  const length = parts.reduce((sum, part) => sum + byteLengthOf(part), 0);
  response.writeHead(status, { ...headers, "content-length": length });
  const yielder = new Yielder();
  // Otherwise Node.js writes in a later turn, and it seems as if the client had not read.
  response.cork();
  for (const part of parts) {
    for (const piece of cut(part)) {
      verifyConnected(response);
      if (part instanceof JsonPieces) {
        await writeReused(response, piece, guard);
      } else {
        if (response.write(piece)) continue;
        response.uncork();
        if (response.writableLength > 0) await drained(response, guard);
      }
      if (yielder.isDue) await yielder.yield();
      response.cork();
    }
  }
  end(response, undefined, guard);
}

async function sendStream(
  response: ServerResponse,
  answer: HttpAnswer,
  { encoding, guard }: { readonly encoding: Encoding | undefined; readonly guard: ResponseGuard },
): Promise<void> {
  const pieces = piecesOf(answer.parts);
  const headers = headersOf(answer);
  if (encoding === undefined) {
    response.writeHead(answer.status, headers);
    await writeAll(response, pieces, guard);
  } else {
    response.writeHead(answer.status, { ...headers, "content-encoding": encoding });
    const compressor = compressors[encoding].stream();
    const write = (compressed: AsyncIterable<Buffer>) => writeAll(response, compressed, guard);
    await pipeline(Readable.from(pieces), compressor, write);
  }
  end(response, undefined, guard);
}

/** Writes chunks as the client reads them; rejects if it disconnects or does not read. */
async function writeAll(
  response: ServerResponse,
  pieces: AsyncIterable<string | Uint8Array>,
  guard: ResponseGuard,
): Promise<void> {
  const yielder = new Yielder();
  for await (const piece of pieces) {
    verifyConnected(response);
    if (!response.write(piece)) await drained(response, guard);
    await yielder.yield();
  }
}

function verifyConnected(response: ServerResponse): void {
  if (response.destroyed) throw new Error("the client has disconnected");
}

/** Writes a piece at once; resolves when the network has taken it, whose memory may be used again then. */
function writeReused(
  response: ServerResponse,
  piece: string | Uint8Array,
  guard: ResponseGuard,
): Promise<void> | undefined {
  let taken = () => {};
  response.write(piece, () => taken());
  response.uncork();
  if (response.writableLength === 0) return undefined;
  return untilRead(response, guard, (settle) => {
    taken = settle;
  });
}

function drained(response: ServerResponse, guard: ResponseGuard): Promise<void> {
  return untilRead(response, guard, (settle) => response.once("drain", settle));
}

/** Resolves when the callback is called, for which the client must read in time; rejects if it disconnects. */
function untilRead(
  response: ServerResponse,
  guard: ResponseGuard,
  begin: (settle: () => void) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = guard.watchReader(() => response.destroy());
    const settle = () => {
      cancel();
      response.off("drain", settle);
      response.off("close", settle);
      if (response.destroyed) reject(new Error("the client has disconnected"));
      else resolve();
    };
    begin(settle);
    response.on("close", settle);
  });
}

/** Ends a response; what the network does not accept at once must be read in time. */
function end(
  response: ServerResponse,
  body: string | Uint8Array | undefined,
  guard: ResponseGuard,
): void {
  response.end(body);
  if (response.writableLength === 0 || response.closed) return;
  response.once(
    "close",
    guard.watchReader(() => response.destroy()),
  );
}

function headersOf({ contentType }: HttpAnswer): OutgoingHttpHeaders {
  return contentType === undefined
    ? { vary: "origin" }
    : { "content-type": contentType, vary: "origin" };
}

function byteLengthOf(part: InMemoryPart): number {
  return part instanceof JsonPieces ? part.byteLength : Buffer.byteLength(part);
}

function findEncoding(accepted: string | undefined): Encoding | undefined {
  if (accepted === undefined) return undefined;
  if (/\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accepted)) return "gzip";
  if (/\bdeflate\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accepted)) return "deflate";
  return undefined;
}
