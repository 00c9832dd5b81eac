import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { NodeAndReplica } from "./node-and-replica.js";
import {
  type Difference,
  findDifference,
  isRefusal,
  type Response,
} from "./replica-differences.js";

const GRAPHQL = "/graphql";
const MAX_BATCH = 100;

/** A call of a method. */
export interface Call {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A request to one of the listeners. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly type: string;
  readonly body: string;
}

interface HttpResponse {
  readonly status: number;
  readonly body: string;
}

/** Sends requests to a node and to its replica, and compares the responses byte by byte. */
export class ComparedResponses {
  readonly #nodes: NodeAndReplica;
  /** How many were the same. */
  equal = 0;
  /** How many differed as documented, by their methods. */
  readonly documented = new Map<string, number>();
  /** Those that must not differ. */
  readonly different: unknown[] = [];

  constructor(nodes: NodeAndReplica) {
    this.#nodes = nodes;
  }

  /** Sends calls in batches. */
  async call(calls: readonly Call[]): Promise<void> {
    const alone = calls.filter(({ method }) => findDifference(method) !== undefined);
    for (const call of alone) await this.send(requestOf(format(call, 1)));
    const others = calls.filter(({ method }) => findDifference(method) === undefined);
    for (let first = 0; first < others.length; first += MAX_BATCH) {
      const batch = others.slice(first, first + MAX_BATCH);
      const [theirs, ours] = await this.#both(requestOf(`[${batch.map(format).join(",")}]`));
      if (ours.body === theirs.body) this.equal += batch.length;
      // Finds those that differ.
      else for (const call of batch) await this.send(requestOf(format(call, 1)));
    }
  }

  /** Sends a GraphQL document. */
  async query(query: string): Promise<void> {
    await this.send({
      ...{ method: "POST", path: GRAPHQL, type: "application/json" },
      body: JSON.stringify({ query }),
    });
  }

  /** Sends any request to the nodes that should get it; resolves to the response of the source, or the only one. */
  async send(request: HttpRequest): Promise<HttpResponse> {
    const called = request.path === GRAPHQL ? undefined : methodIn(request.body);
    const difference = called === undefined ? undefined : findDifference(called);
    if (difference === undefined || difference.to === "both") {
      const [theirs, ours] = await this.#both(request);
      this.#count(request, { ours, theirs, difference });
      return theirs;
    }
    const ours = await send(this.#nodes.replica, request);
    // Calls with wrong parameters have no effect on either.
    const isShared = difference.to === "replica first" || hasOtherError(parse(ours));
    const theirs = isShared ? await send(this.#nodes.source, request) : undefined;
    this.#count(request, { ours, theirs, difference });
    return ours;
  }

  /** A listener that does so with every request that it gets. */
  async listen(): Promise<{ readonly url: string; readonly graphqlUrl: string } & AsyncDisposable> {
    const server = createServer(async (request, response) => {
      const { method = "GET", url: path = "/", headers } = request;
      const type = headers["content-type"] ?? "text/plain";
      const { status, body } = await this.send({ method, path, type, body: await text(request) });
      response.writeHead(status, { "content-type": "application/json" }).end(body);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return {
      ...{ url, graphqlUrl: url + GRAPHQL },
      [Symbol.asyncDispose]: () => close(server),
    };
  }

  #both(request: HttpRequest): Promise<[HttpResponse, HttpResponse]> {
    const { source, replica } = this.#nodes;
    return Promise.all([send(source, request), send(replica, request)]);
  }

  #count(
    { body }: HttpRequest,
    {
      ours,
      theirs,
      difference,
    }: {
      readonly ours: HttpResponse;
      readonly theirs: HttpResponse | undefined;
      readonly difference: Difference | undefined;
    },
  ): void {
    const method = methodIn(body);
    if (ours.status === theirs?.status && ours.body === theirs.body) this.equal += 1;
    else if (difference?.isDocumented(parse(ours), theirs ? parse(theirs) : {}) && method) {
      this.documented.set(method, (this.documented.get(method) ?? 0) + 1);
    } else this.different.push({ request: body, ours: ours.body, theirs: theirs?.body });
  }
}

function format({ method, params }: Call, id: number): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

function requestOf(body: string): HttpRequest {
  return { method: "POST", path: "/", type: "application/json", body };
}

async function send(
  node: NodeAndReplica["source"],
  { method, path, type, body }: HttpRequest,
): Promise<HttpResponse> {
  const url = new URL(path, path.startsWith(GRAPHQL) ? node.graphqlUrl : node.url);
  const response = await fetch(url, {
    method,
    headers: { "content-type": type },
    ...(method === "POST" ? { body } : {}),
  });
  return { status: response.status, body: await response.text() };
}

/** The method of a single call; `undefined` of anything else. */
function methodIn(body: string): string | undefined {
  try {
    const { method } = Object(JSON.parse(body));
    return typeof method === "string" ? method : undefined;
  } catch {
    return undefined;
  }
}

function parse({ body }: HttpResponse): Response {
  return Object(JSON.parse(body));
}

function hasOtherError(response: Response): boolean {
  return response.error !== undefined && !isRefusal(response);
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, "close");
}
