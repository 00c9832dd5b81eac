import type { HttpServer } from "@plinth/kit-http";
import { type AnswerSettings, createAnswerer } from "./answer.js";
import { readAddress, readBody } from "./read-request.js";

const NOT_FOUND = "<html><body><h1>Resource not found</h1></body></html>";

/** Adds `/graphql`, a redirect from `/`, and rejects other paths. */
export function addRoutes(server: HttpServer, settings: AnswerSettings): void {
  const { verifyCaller, answer } = createAnswerer(settings);
  server.get("/graphql", (request, reply) => answer(reply, () => readAddress(request.url)));
  server.post("/graphql", {
    onRequest: (_request, reply) => verifyCaller(reply),
    handler: ({ raw, body }, reply) =>
      answer(reply, () => readBody(raw, typeof body === "string" ? body : "")),
  });
  server.route({
    method: ["GET", "POST"],
    url: "/",
    handler: (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(308, { location: "/graphql" }).end();
    },
  });
  server.setNotFoundHandler((request, reply) => {
    reply.hijack();
    const [path] = request.url.split("?");
    if (path === "/" || path === "/graphql") {
      reply.raw.writeHead(405, { allow: "POST,GET" }).end();
    } else {
      reply.raw.writeHead(404, { "content-type": "text/html; charset=utf-8" }).end(NOT_FOUND);
    }
  });
}
