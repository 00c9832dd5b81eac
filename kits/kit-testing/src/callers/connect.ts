import type { RpcClient } from "@plinth/core";
import { Signal } from "@plinth/core/async";
import type { Node } from "@plinth/node";
import { exchange, resultOf } from "./call.js";

/** A notification of the node. */
export interface Notification {
  readonly method: string;
  readonly params: unknown;
}

/** A caller that the node can push to. */
export interface DuplexCaller extends Disposable {
  /** Calls a method; rejects with the error's `code` and `message`. */
  rpc(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** Sends any body and resolves to the JSON of the response. */
  send(body: unknown): Promise<unknown>;
  /** The next unread notification. */
  next(): Promise<Notification>;
  /** Everything received, responses and notifications, in order. */
  readonly received: readonly unknown[];
  /** Ends the connection. */
  leave(): void;
}

const ENDPOINT = "test-duplex";

/** Connects a caller that has access to the given namespaces and those that are always enabled. */
export function connectDuplex(
  node: Node,
  { namespaces = [] }: { readonly namespaces?: readonly string[] } = {},
): DuplexCaller {
  const closed = new AbortController();
  const received: unknown[] = [];
  const untaken: Notification[] = [];
  const notified = new Signal();
  const client: RpcClient = {
    endpoint: endpointOf(node, namespaces),
    closed: closed.signal,
    notify(method, params) {
      // Like a listener: later changes have no effect.
      const notification: Notification = JSON.parse(JSON.stringify({ method, params }));
      received.push(notification);
      untaken.push(notification);
      notified.notify();
    },
  };
  const send = async (body: unknown) => {
    const { json, sent } = await exchange(node, client, body);
    received.push(json);
    sent?.();
    return json;
  };
  return {
    send,
    rpc: async (method, params = []) =>
      resultOf(await send({ jsonrpc: "2.0", id: 1, method, params })),
    async next() {
      for (;;) {
        const first = untaken.shift();
        if (first !== undefined) return first;
        await notified.next();
      }
    },
    received,
    leave: () => closed.abort(),
    [Symbol.dispose]: () => closed.abort(),
  };
}

/** All callers with the same namespaces share one listener. */
function endpointOf(node: Node, namespaces: readonly string[]) {
  const name = [ENDPOINT, ...namespaces].join("-");
  return (
    node.rpc.endpoints().find((endpoint) => endpoint.name === name) ??
    node.rpc.endpoint({
      name,
      transport: "test",
      namespaces,
      duplex: true,
      maxBatchSize: 0,
    })
  );
}
