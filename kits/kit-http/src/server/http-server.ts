import type { HttpServer, HttpServerSettings } from "./http-server-settings.js";
import { PortServer } from "./port-server.js";

/** A server with the guards of every listener and these routes, which are available at once. */
export async function createHttpServer(
  settings: HttpServerSettings,
  addRoutes: (server: HttpServer) => void | Promise<void>,
): Promise<PortServer> {
  const server = new PortServer(settings, addRoutes);
  await server.load();
  return server;
}
