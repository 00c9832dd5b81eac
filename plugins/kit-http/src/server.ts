import Fastify, { type FastifyInstance } from "fastify";
import { corsGuard } from "./cors.js";
import { hostAllowlistGuard } from "./host-allowlist.js";
import { readBody } from "./read-body.js";
import type { WildcardList } from "./wildcard-list.js";

/** What guards an HTTP listener. */
export interface HttpServerSettings {
  readonly hosts: WildcardList;
  readonly origins: WildcardList;
  /** The option that named the origins, for messages. */
  readonly originsOption: string;
  /** Connections above this number are closed at once. */
  readonly maxConnections: number;
  /** Larger bodies are refused. */
  readonly maxBodyBytes: number;
}

/** The server that listeners add their routes to. */
export type HttpServer = FastifyInstance;

/** A fastify server with the guards that every listener has; it listens to nothing yet. */
export async function createHttpServer(settings: HttpServerSettings): Promise<HttpServer> {
  const { hosts, origins, originsOption, maxConnections, maxBodyBytes } = settings;
  const server = Fastify({
    logger: false,
    exposeHeadRoutes: false,
    forceCloseConnections: "idle",
    routerOptions: { ignoreTrailingSlash: false },
  });
  server.server.maxConnections = maxConnections;
  server.removeAllContentTypeParsers();
  // The content type of a request is not looked at: old clients send what they like.
  server.addContentTypeParser("*", (_request, payload, done) =>
    readBody(payload, maxBodyBytes, done),
  );
  server.setErrorHandler((_error, _request, reply) => {
    reply.hijack();
    reply.raw.writeHead(413, { "content-type": "text/plain" });
    reply.raw.end("Request Entity Too Large");
  });
  await server.register(hostAllowlistGuard, { hosts });
  await server.register(corsGuard, { origins, option: originsOption });
  return server;
}
