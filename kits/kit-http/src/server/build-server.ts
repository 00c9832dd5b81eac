import type { IncomingMessage, Server } from "node:http";
import Fastify from "fastify";
import { corsGuard } from "../access/cors.js";
import { hostAllowlistGuard } from "../access/host-allowlist.js";
import { readBody } from "../bodies/read-body.js";
import { refuse } from "../bodies/refuse.js";
import type { Drain } from "./drain.js";
import type {
  BodyHandler,
  HttpServer,
  HttpServerSettings,
  PostHandler,
} from "./http-server-settings.js";

/** The Node.js server that fastify responds for, and its calls in progress. */
export interface ServedBy {
  readonly server: Server;
  readonly drain: Drain;
}

/** Builds fastify with the guards around a server that passes it requests. */
export async function buildHttpServer(
  settings: HttpServerSettings,
  { server: nodeServer, drain }: ServedBy,
): Promise<HttpServer> {
  const { hosts, probes = [], origins, originsOption, maxBodyBytes, post } = settings;
  const { allowsOwnOrigin = false, explainsRefusals = false, tls, pages = [] } = settings;
  const server = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    serverFactory: () => nodeServer,
  });
  server.addHook("preClose", (done) => {
    drain.begin();
    done();
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", (_request, payload, done) =>
    readBody(payload, maxBodyBytes, done),
  );
  // The content type of a request is ignored: old clients send arbitrary ones, and fastify rejects
  // those without a parser.
  server.addHook("onRequest", ({ raw }, _reply, done) => {
    raw.headers["content-type"] = "application/json";
    done();
  });
  server.setErrorHandler((error, _request, reply) => refuse(reply.hijack().raw, error));
  await server.register(hostAllowlistGuard, { hosts, probes, explainsRefusals });
  await server.register(corsGuard, {
    origins,
    option: originsOption,
    explainsRefusals,
    ownScheme: allowsOwnOrigin ? (tls === undefined ? "http" : "https") : undefined,
    pages,
    hosts,
  });
  if (post !== undefined) addPostRoute(server, post);
  return server;
}

function addPostRoute(server: HttpServer, post: PostHandler): void {
  const handlers = new WeakMap<IncomingMessage, BodyHandler>();
  server.post("/", {
    // Before the body is read.
    onRequest: async ({ raw }, reply) => {
      const handler = await post(raw, reply.raw);
      if (handler === undefined) reply.hijack();
      else handlers.set(raw, handler);
    },
    handler: ({ raw, body }, reply) => {
      reply.hijack();
      return handlers.get(raw)?.(typeof body === "string" ? body : "");
    },
  });
}
