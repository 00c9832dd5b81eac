import type { ServerResponse } from "node:http";
import {
  type Clock,
  type Logger,
  messageOf,
  type RouteReply,
  type RouteRequest,
} from "@plinth/core";
import type { BoundRoute, Endpoint } from "@plinth/core/rpc";
import type { FastifyRequest } from "fastify";
import type { ResponseGuard } from "../bodies/response-guard.js";
import { sendParts } from "../bodies/send.js";
import type { ClientLimits } from "../limits/client-limits.js";
import type { HttpServer } from "./http-server-settings.js";

/** The dependencies of plugin routes. */
export interface RouteSettings {
  readonly log: Logger;
  readonly clock: Clock;
  readonly guard: ResponseGuard;
  readonly timeoutMs: number;
  /** The listener, for authorization. */
  readonly endpoint: Endpoint;
  readonly limits: Pick<ClientLimits, "addressOf" | "callsOf">;
}

/** Adds the routes of plugins to a server, behind its guards. */
export function addPluginRoutes(
  server: HttpServer,
  routes: readonly BoundRoute[],
  settings: RouteSettings,
): void {
  for (const route of routes) {
    server.route({
      method: route.method,
      url: route.path,
      handler: (request, reply) => {
        if (!route.isActive()) return reply.callNotFound();
        reply.hijack();
        return answer(route, request, reply.raw, settings);
      },
    });
  }
}

async function answer(
  route: BoundRoute,
  request: FastifyRequest,
  response: ServerResponse,
  { log, clock, guard, timeoutMs, endpoint, limits }: RouteSettings,
): Promise<void> {
  const ended = new AbortController();
  const cancel = clock.after(timeoutMs, () => {
    ended.abort();
    if (!response.headersSent) sendText(response, 408, "Request Timeout");
  });
  response.once("close", () => {
    cancel();
    ended.abort();
  });
  try {
    const on = { endpoint, limits, signal: ended.signal };
    const reply = await route.handle(toRouteRequest(request, on));
    if (!response.headersSent && !response.destroyed) {
      await sendReply(response, reply, {
        guard,
        acceptEncoding: request.headers["accept-encoding"],
      });
    }
  } catch (error) {
    const { plugin, method, path } = route;
    // Expected after a disconnect: the signal of the plugin has aborted.
    if (ended.signal.aborted)
      log.debug(`${method} ${path} of ${plugin} was abandoned: ${messageOf(error)}`);
    else log.error(`${plugin} failed in ${method} ${path}: ${messageOf(error)}`, { error });
    if (response.headersSent) response.destroy();
    else sendText(response, 500, "Internal Server Error");
  } finally {
    cancel();
  }
}

function toRouteRequest(
  request: FastifyRequest,
  {
    endpoint,
    limits,
    signal,
  }: Pick<RouteSettings, "endpoint" | "limits"> & { readonly signal: AbortSignal },
): RouteRequest {
  const { pathname, searchParams } = new URL(request.url, "http://localhost");
  const { headers } = request;
  const remoteAddress = limits.addressOf(request.raw);
  const calls = limits.callsOf(remoteAddress);
  const connection = request.raw.socket;
  return {
    path: pathname,
    params: request.params as Readonly<Record<string, string>>,
    query: searchParams,
    headers,
    body: typeof request.body === "string" ? request.body : "",
    remoteAddress,
    client: { endpoint, headers, remoteAddress, calls, connection, closed: signal },
    signal,
  };
}

async function sendReply(
  response: ServerResponse,
  reply: RouteReply,
  { guard, acceptEncoding }: { guard: ResponseGuard; acceptEncoding: string | undefined },
): Promise<void> {
  const { status = 200, headers = {}, body, json } = verifyReply(reply);
  const part = json === undefined ? (body ?? "") : JSON.stringify(json);
  const { "content-type": contentType = typeOf(reply), ...others } = lowerCase(headers);
  for (const [name, value] of Object.entries(others)) response.setHeader(name, value);
  await sendParts(response, { status, contentType, parts: [part], acceptEncoding }, guard);
}

function verifyReply(reply: RouteReply): RouteReply {
  if (typeof reply !== "object" || reply === null) {
    throw new TypeError(
      `it returned ${String(reply)}, expected an object such as { body: "text" }`,
    );
  }
  const { status = 200 } = reply;
  if (Number.isInteger(status) && status >= 200 && status <= 599) return reply;
  throw new TypeError(`it returned the status ${status}, expected 200 to 599`);
}

function typeOf({ json, body }: RouteReply): string {
  if (json !== undefined) return "application/json";
  return typeof body === "string" ? "text/plain; charset=utf-8" : "application/octet-stream";
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain", vary: "origin" }).end(text);
}
