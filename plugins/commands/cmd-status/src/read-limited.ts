import { NodeUnreachable } from "./node-unreachable.js";

/** Maximum size of a response. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** The text of a response, unless it is too large. */
export async function readLimited(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The error for a node that sends too much. */
export function tooLarge(): NodeUnreachable {
  return new NodeUnreachable(`it sends more than ${MAX_ANSWER_BYTES / 1024 / 1024} MiB`);
}
