import type { RpcClient } from "@plinth/core";
import type { Part } from "@plinth/core/rpc";
import type { Node } from "@plinth/node";

/** A JSON-RPC error as a caller sees it. */
class RpcFailure extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor({ code, message, data }: { code: number; message: string; data?: unknown }) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The result of a response; throws its error instead. */
export function resultOf(response: {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}): unknown {
  if (response.error !== undefined) throw new RpcFailure(response.error);
  return response.result;
}

/**
 * Sends a body like a client and returns the JSON of the response; call `sent` when it was
 * delivered.
 */
export async function exchange(node: Node, client: RpcClient, body: unknown) {
  const { parts, sent } = await node.rpc.answer(JSON.stringify(body), client);
  return { json: JSON.parse(await join(parts)), sent };
}

async function join(parts: readonly Part[]): Promise<string> {
  const pieces: Buffer[] = [];
  for (const part of parts) {
    if (typeof part === "string" || part instanceof Uint8Array) pieces.push(Buffer.from(part));
    else for await (const piece of part) pieces.push(Buffer.from(piece));
  }
  return Buffer.concat(pieces).toString("utf8");
}
