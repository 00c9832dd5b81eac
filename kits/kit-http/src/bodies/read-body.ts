import type { IncomingMessage } from "node:http";

/** The body was larger than the listener allows. */
export class BodyTooLarge extends Error {
  readonly statusCode = 413;
}

/**
 * Collects a body as text, up to a limit.
 *
 * Data above the limit is discarded as it arrives, so that the caller, which is still sending, can
 * read the error.
 */
export function readBody(
  payload: IncomingMessage,
  maxBytes: number,
  done: (error: Error | null, body?: string) => void,
): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const collect = (chunk: Buffer) => {
    size += chunk.length;
    if (size <= maxBytes) {
      chunks.push(chunk);
      return;
    }
    payload.off("data", collect);
    payload.off("end", finish);
    payload.resume();
    chunks.length = 0;
    done(new BodyTooLarge("body too large"));
  };
  const finish = () => {
    const [first] = chunks;
    const bytes = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
    done(null, bytes.toString("utf8"));
  };
  payload.on("data", collect);
  payload.on("end", finish);
}
