import type { HttpServer, HttpServerSettings } from "./http-server-settings.js";

/** A server with the guards that every listener has; fastify is loaded only here, when one starts. */
export async function createHttpServer(settings: HttpServerSettings): Promise<HttpServer> {
  const { buildHttpServer } = await import("./build-server.js");
  return buildHttpServer(settings);
}
