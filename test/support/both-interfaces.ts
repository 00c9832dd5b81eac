import { once } from "node:events";
import type { Node } from "@plinth/node";
import transportHttp from "@plinth/plugin-transport-http";
import transportWs from "@plinth/plugin-transport-ws";
import { expect } from "vitest";
import { WebSocket } from "ws";
import { call } from "./program.js";

/** What a node needs for `connectBoth`. */
export const bothTransports = [transportHttp, transportWs];

/** Options of a node that serves these namespaces over both; the default ones if omitted. */
export function offerOverBoth(apis?: readonly string[]): Readonly<Record<string, unknown>> {
  const ports = { rpcHttpEnabled: true, rpcHttpPort: 0, rpcWsEnabled: true, rpcWsPort: 0 };
  return apis === undefined ? ports : { ...ports, rpcHttpApi: apis, rpcWsApi: apis };
}

/** A client of a node over HTTP and WebSocket. */
export interface BothInterfaces extends Disposable {
  /** The result over HTTP; rejects with the error object. */
  http(method: string, params?: readonly unknown[]): Promise<unknown>;
  ws(method: string, params?: readonly unknown[]): Promise<unknown>;
  /** The result over HTTP, which must equal that over WebSocket. */
  both(method: string, params?: readonly unknown[]): Promise<unknown>;
}

/** Connects to a running node over HTTP and WebSocket. */
export async function connectBoth(node: Node): Promise<BothInterfaces> {
  const portOf = (wanted: string) =>
    node.rpc.endpoints().find(({ name }) => name === wanted)?.address?.port;
  const url = `http://127.0.0.1:${portOf("json-rpc")}`;
  const socket = new WebSocket(`ws://127.0.0.1:${portOf("ws-rpc")}`);
  await once(socket, "open");
  const http = (method: string, params: readonly unknown[] = []) => call(url, method, params);
  const ws = async (method: string, params: readonly unknown[] = []) => {
    socket.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
    const [text] = await once(socket, "message");
    const { result, error } = JSON.parse(String(text));
    if (error !== undefined) throw error;
    return result;
  };
  return {
    http,
    ws,
    async both(method, params) {
      const result = await http(method, params);
      expect(await ws(method, params), `${method} over WebSocket`).toEqual(result);
      return result;
    },
    [Symbol.dispose]: () => socket.terminate(),
  };
}
