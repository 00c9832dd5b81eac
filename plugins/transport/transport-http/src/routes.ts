import { ConfigError } from "@plinth/core";
import type { BoundRoute } from "@plinth/core/rpc";
import type { HttpServer } from "@plinth/kit-http";
import { answerLiveness, answerReadiness, type ReadyParts } from "./health.js";

/** Adds `GET /` and the probes beside `POST /`; other paths are rejected. */
export function addRoutes(server: HttpServer, parts: ReadyParts): void {
  server.get("/", (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(201).end();
  });
  server.get("/liveness", (_request, reply) => answerLiveness(reply));
  server.get("/readiness", (request, reply) => answerReadiness(request, reply, parts));

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

/** Throws if a plugin adds a route that the listener has itself. */
export function verifyNotOurs(routes: readonly BoundRoute[]): void {
  const ours = ["GET /liveness", "GET /readiness"];
  const taken = routes.find(({ method, path }) => ours.includes(`${method} ${path}`));
  if (taken === undefined) return;
  throw new ConfigError("ROUTE_CONFLICT", {
    message: `${taken.plugin} adds the route "${taken.method} ${taken.path}", which is a probe of the HTTP listener; choose another path`,
    plugin: taken.plugin,
  });
}
