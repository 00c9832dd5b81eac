import { type Answer, type Endpoint, messageOf, type Outcome, type Runtime } from "@plinth/core";
import { type HttpServer, sendParts } from "@plinth/kit-http";
import { answerLiveness, answerReadiness } from "./health.js";
import { HttpClient } from "./http-client.js";

/** What the routes work with. */
export interface RouteSettings {
  readonly endpoint: Endpoint;
  readonly runtime: Runtime;
  readonly timeoutMs: number;
}

const STATUS: Readonly<Record<Outcome, number>> = {
  answered: 200,
  silent: 200,
  unparsable: 400,
  invalid: 400,
  refused: 401,
};

const JSON_HEADERS = { "content-type": "application/json" };
const TIMED_OUT = '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Timeout expired"}}';

/** Adds `POST /`, `GET /` and the probes; everything else is refused. */
export function addRoutes(
  server: HttpServer,
  { endpoint, runtime, timeoutMs }: RouteSettings,
): void {
  const { rpc, clock, log, health } = runtime;

  server.post("/", (request, reply) => {
    reply.hijack();
    const { raw: response } = reply;
    const { accept, "accept-encoding": acceptEncoding } = request.headers;
    if (!acceptsJson(accept)) {
      response.writeHead(406).end();
      return;
    }
    const client = new HttpClient(endpoint, request.raw);
    const cancel = clock.after(timeoutMs, () => {
      client.close();
      response.writeHead(408, { ...JSON_HEADERS, connection: "close" }).end(TIMED_OUT);
    });
    rpc
      .answer(typeof request.body === "string" ? request.body : "", client)
      .then((answer) => {
        cancel();
        if (response.headersSent) return undefined;
        return sendParts(response, { ...toHttp(answer), parts: partsOf(answer), acceptEncoding });
      })
      .catch((error: unknown) => {
        // The status is out already: cutting the connection is how the caller learns of it.
        log.debug(`an answer was cut off: ${messageOf(error)}`);
        response.destroy();
      });
  });

  server.get("/", (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(201).end();
  });
  server.get("/liveness", (_request, reply) => answerLiveness(reply));
  server.get("/readiness", (request, reply) => answerReadiness(request, reply, health));

  server.setNotFoundHandler((request, reply) => {
    reply.hijack();
    const isRoot = request.url === "/" || request.url.startsWith("/?");
    if (isRoot) reply.raw.writeHead(405, { allow: "POST,GET" }).end();
    else {
      reply.raw.writeHead(404, { "content-type": "text/html; charset=utf-8" });
      reply.raw.end("<html><body><h1>Resource not found</h1></body></html>");
    }
  });
}

/** A body without any request gets no content type, as existing clients know it. */
function toHttp({ outcome }: Answer) {
  return { status: STATUS[outcome], headers: outcome === "unparsable" ? {} : JSON_HEADERS };
}

function partsOf({ parts }: Answer): Answer["parts"] {
  return parts.length === 0 ? [""] : parts;
}

function acceptsJson(accept: string | undefined): boolean {
  return accept === undefined || /(application|\*)\/(json|\*)/i.test(accept);
}
