import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import Fastify from "fastify";
import { corsGuard } from "./cors.js";
import { Drain } from "./drain.js";
import { hostAllowlistGuard, hostCheck } from "./host-allowlist.js";
import type { HttpServer, HttpServerSettings, PostHandler } from "./http-server-settings.js";
import { inSequence } from "./in-sequence.js";
import { BodyTooLarge, readBody } from "./read-body.js";

/** A request has to be sent within this time. */
const MAX_SENDING_MS = 300_000;
/** A connection between two requests is kept this long, a little longer than proxies usually do. */
const MAX_IDLE_MS = 72_000;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Builds a fastify server with the guards; it listens to nothing yet. */
export async function buildHttpServer(settings: HttpServerSettings): Promise<HttpServer> {
  const { hosts, probes = [], origins, originsOption, maxBodyBytes, post } = settings;
  const { allowsOwnOrigin = false } = settings;
  const drain = new Drain();
  const server = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    forceCloseConnections: "idle",
    serverFactory: (handler) =>
      createNodeServer(settings, inSequence(shortcut(settings, drain, drain.watch(handler)))),
  });
  drain.follow(server.server);
  server.addHook("preClose", (done) => {
    drain.begin();
    done();
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", (_request, payload, done) =>
    readBody(payload, maxBodyBytes, done),
  );
  // The content type of a request is ignored: old clients send arbitrary ones, and fastify
  // rejects those without a parser.
  server.addHook("onRequest", ({ raw }, _reply, done) => {
    raw.headers["content-type"] = "application/json";
    done();
  });
  server.setErrorHandler((error, _request, reply) => refuse(reply.hijack().raw, error));
  await server.register(hostAllowlistGuard, { hosts, probes });
  await server.register(corsGuard, { origins, option: originsOption, allowsOwnOrigin });
  if (post !== undefined) addPostRoute(server, post);
  return server;
}

function createNodeServer({ maxConnections }: HttpServerSettings, handler: Handler) {
  // Who sends no Host gets the answer of the host check.
  const settings = { requireHostHeader: false, requestTimeout: MAX_SENDING_MS };
  const server = createServer({ ...settings, keepAliveTimeout: MAX_IDLE_MS }, handler);
  server.maxConnections = maxConnections;
  return server;
}

function addPostRoute(server: HttpServer, post: PostHandler): void {
  server.post("/", (request, reply) => {
    reply.hijack();
    return post(request.raw, reply.raw, typeof request.body === "string" ? request.body : "");
  });
}

/**
 * Takes `POST /` of programs before fastify does, which halves what a call costs (ADR 7).
 *
 * Only requests that the guards would let through unchanged: an allowed host and no `Origin`.
 * Everything else goes the ordinary way, to the same handler.
 */
function shortcut(
  { hosts, maxBodyBytes, post }: HttpServerSettings,
  drain: Drain,
  ordinary: Handler,
): Handler {
  if (post === undefined) return ordinary;
  const isAllowed = hostCheck(hosts);
  return (request, response) => {
    const { method, url, headers } = request;
    const isPlain = method === "POST" && url === "/" && headers.origin === undefined;
    if (!isPlain || !isAllowed(headers.host)) return ordinary(request, response);
    readBody(request, maxBodyBytes, (error, body = "") => {
      if (error !== null) return refuse(response, error);
      const answering = post(request, response, body);
      if (answering !== undefined) drain.during(response, answering);
    });
  };
}

function refuse(response: ServerResponse, error: unknown): void {
  const isTooLarge = error instanceof BodyTooLarge;
  const headers = { "content-type": "text/plain", vary: "origin" };
  response.writeHead(isTooLarge ? 413 : 500, headers);
  response.end(isTooLarge ? "Request Entity Too Large" : "Internal Server Error");
}
