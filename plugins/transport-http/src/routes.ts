import type { HttpServer } from "@plinth/kit-http";
import { answerLiveness, answerReadiness, type ReadyParts } from "./health.js";

/** Adds `GET /` and the probes beside `POST /`; everything else is refused. */
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
