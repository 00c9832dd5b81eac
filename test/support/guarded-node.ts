import { once } from "node:events";
import type { Clock, Plugin } from "@plinth/core";
import type { Logs } from "@plinth/core/kernel";
import authentication from "@plinth/plugin-authentication";
import graphql from "@plinth/plugin-graphql";
import requestLog from "@plinth/plugin-request-log";
import rpcNet from "@plinth/plugin-rpc-net";
import rpcRpc from "@plinth/plugin-rpc-rpc";
import rpcSubscribe from "@plinth/plugin-rpc-subscribe";
import rpcWeb3 from "@plinth/plugin-rpc-web3";
import transportHttp from "@plinth/plugin-transport-http";
import transportIpc from "@plinth/plugin-transport-ipc";
import transportWs from "@plinth/plugin-transport-ws";
import { createTestNode } from "@plinth/testing";
import { WebSocket } from "ws";

/** A node with every listener, on free ports. */
export async function startGuardedNode(
  options: Readonly<Record<string, unknown>> = {},
  {
    clock,
    logs,
    plugins = [],
  }: {
    readonly clock?: Clock;
    readonly logs?: Logs;
    readonly plugins?: readonly Plugin[];
  } = {},
) {
  const node = await createTestNode({
    plugins: [
      authentication,
      requestLog,
      transportHttp,
      transportWs,
      transportIpc,
      graphql,
      rpcNet,
      rpcRpc,
      rpcSubscribe,
      rpcWeb3,
      ...plugins,
    ],
    options: {
      rpcHttpEnabled: true,
      rpcHttpPort: 0,
      rpcWsEnabled: true,
      rpcWsPort: 0,
      graphqlHttpEnabled: true,
      graphqlHttpPort: 0,
      ...options,
    },
    ...(clock && { clock }),
    ...(logs && { logs }),
  });
  const portOf = (endpoint: string) =>
    node.node.rpc.endpoints().find(({ name }) => name === endpoint)?.address?.port ?? 0;
  return {
    ...node,
    http: portOf("json-rpc"),
    ws: portOf("ws-rpc"),
    graphql: portOf("graphql-http"),
  };
}

/** The response of a listener. */
export interface Answered {
  readonly status: number;
  readonly reason: string;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

/** Posts to a listener, optionally with a token. */
export async function post(
  port: number,
  body: unknown,
  settings: {
    readonly token?: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<Answered> {
  const { token, path = "/", headers = {} } = settings;
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
  });
  const text = await response.text();
  return {
    status: response.status,
    reason: response.statusText,
    headers: response.headers,
    text,
    json: parse(text),
  };
}

/** A WebSocket whose responses are awaited by their id. */
export async function openSocket(port: number, token?: string) {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { headers });
  await once(socket, "open");
  return {
    socket,
    /** Sends a message; resolves to the next received one. */
    async ask(body: unknown): Promise<unknown> {
      const coming = once(socket, "message");
      socket.send(JSON.stringify(body));
      const [message] = await coming;
      return JSON.parse(String(message));
    },
    [Symbol.dispose]: () => socket.terminate(),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
