import { type Endpoint, messageOf, type Part, type RpcClient, type Runtime } from "@plinth/core";

/** The part of a WebSocket that a connection uses. */
export interface Socket {
  readonly bufferedAmount: number;
  on(event: "message", listener: (message: { toString(): string }) => void): unknown;
  on(event: "error", listener: (error: Error) => void): unknown;
  on(event: "close", listener: () => void): unknown;
  send(text: string, done: (error?: Error | null) => void): void;
  pause(): void;
  resume(): void;
  terminate(): void;
}

/** So many messages of one connection are worked on at a time; the rest waits in the network. */
const MAX_UNDER_WAY = 32;
/** A caller who asks but does not read is left when this much is waiting for it. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;
/** The answer to a message without a single letter. */
const NO_REQUEST =
  '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request"}}';

/** Connects one WebSocket with the node: messages are bodies, answers and notifications go back. */
export function serveConnection(
  socket: Socket,
  { endpoint, runtime }: { readonly endpoint: Endpoint; readonly runtime: Runtime },
): void {
  const { rpc, log } = runtime;
  const closed = new AbortController();
  let underWay = 0;

  const send = (text: string): Promise<void> =>
    new Promise((resolve) => {
      if (socket.bufferedAmount > MAX_UNREAD_BYTES) {
        log.warn("a WebSocket client does not read its answers and was disconnected");
        socket.terminate();
        return resolve();
      }
      // An error here means that the client has left; `close` follows.
      socket.send(text, () => resolve());
    });

  const client: RpcClient = {
    endpoint,
    closed: closed.signal,
    notify: (method, params) => void send(JSON.stringify({ jsonrpc: "2.0", method, params })),
  };

  const serve = async (body: string): Promise<void> => {
    if (body === "") return send(NO_REQUEST);
    const { parts, sent } = await rpc.answer(body, client);
    if (parts.length === 0) return;
    const sending = send(await join(parts, closed.signal));
    // Messages leave in the order in which they were given to the socket.
    sent?.();
    await sending;
  };

  socket.on("message", (message) => {
    underWay += 1;
    if (underWay === MAX_UNDER_WAY) socket.pause();
    serve(message.toString())
      .catch((error: unknown) => {
        // A message cannot be half sent, so an answer that breaks off ends the connection.
        log.warn(`an answer was cut off: ${messageOf(error)}`);
        socket.terminate();
      })
      .finally(() => {
        if (underWay === MAX_UNDER_WAY) socket.resume();
        underWay -= 1;
      });
  });
  socket.on("error", (error) => log.debug(`WebSocket: ${error.message}`));
  socket.on("close", () => closed.abort());
}

/**
 * A WebSocket message is one text, so the parts of an answer are put together.
 *
 * When the caller has left the rest is not waited for.
 */
async function join(parts: readonly Part[], left: AbortSignal): Promise<string> {
  const [only] = parts;
  if (parts.length === 1 && typeof only === "string") return only;
  const texts: string[] = [];
  const decoder = new TextDecoder();
  const add = (piece: string | Uint8Array) =>
    texts.push(typeof piece === "string" ? piece : decoder.decode(piece, { stream: true }));
  for (const part of parts) {
    if (left.aborted) break;
    if (typeof part === "string" || part instanceof Uint8Array) {
      add(part);
      continue;
    }
    for await (const piece of part) {
      if (left.aborted) break;
      add(piece);
    }
  }
  return texts.join("");
}
