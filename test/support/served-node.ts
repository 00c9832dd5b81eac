import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestNode } from "@plinth/testing";

/** A call as a node receives it. */
export interface ServedCall {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Changes the response to a call: returns a result, throws an error, or calls the node. */
export type Change = (call: ServedCall, ask: () => Promise<unknown>) => Promise<unknown>;

/** Serves a node over HTTP, as a remote that may be changed. */
export async function serve(node: Pick<TestNode, "rpc">) {
  let change: Change = (_, ask) => ask();
  const respond = async (call: ServedCall) => {
    const { id, method, params } = call;
    try {
      return { jsonrpc: "2.0", id, result: await change(call, () => node.rpc(method, params)) };
    } catch (error) {
      const { code = -32000, message } = Object(error);
      return { jsonrpc: "2.0", id, error: { code, message } };
    }
  };
  const methods: string[] = [];
  let requests = 0;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    requests += 1;
    const json = JSON.parse(Buffer.concat(parts).toString());
    methods.push(...[json].flat().map(({ method }) => method));
    const result = Array.isArray(json) ? await Promise.all(json.map(respond)) : await respond(json);
    response.end(JSON.stringify(result));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    /** The methods that were called. */
    methods,
    /** Number of requests since the last time. */
    takeRequests() {
      const taken = requests;
      requests = 0;
      return taken;
    },
    change(next: Change) {
      change = next;
    },
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A node that is served as a remote. */
export type Served = Awaited<ReturnType<typeof serve>>;
