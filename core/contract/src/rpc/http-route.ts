import type { IncomingHttpHeaders } from "node:http";
import { ConfigError } from "../kernel/errors.js";
import type { Part } from "./answer.js";
import type { RpcClient } from "./client.js";

type Awaitable<T> = T | Promise<T>;

/** A request to a route, with its body read. */
export interface RouteRequest {
  /** Without the query. */
  readonly path: string;
  /** The path parameters of the route: `/blocks/:number` has `number`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** As UTF-8; empty if the request has none. */
  readonly body: string;
  readonly remoteAddress: string | undefined;
  /** The caller, for `rpc.authorize`: a route that does not call it is open to all. */
  readonly client: RpcClient;
  /** Aborts when the client disconnects, on timeout or when the plugin stops. */
  readonly signal: AbortSignal;
}

/** The response of a route: JSON, or text, bytes or a stream. */
export interface RouteReply {
  /** 200 by default. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: Part;
}

/** A route of a plugin: its handler for one method and path. `R` is the plugin's runtime. */
export interface HttpRoute<R> {
  readonly method: "GET" | "POST";
  /** `/reports/:year`; a segment after a colon matches anything up to the next slash. */
  readonly path: string;
  // A property, not a method: a handler that requires more than `R` must not be assignable.
  readonly handle: (request: RouteRequest, runtime: R) => Awaitable<RouteReply>;
}

/** The plugin's own port. */
export interface OwnPort {
  /** 127.0.0.1 by default. */
  readonly host?: string;
  /** 0 picks a free one. */
  readonly port: number;
}

/** A route for listeners, with its plugin's runtime bound. */
export interface BoundRoute extends Pick<HttpRoute<never>, "method" | "path"> {
  readonly plugin: string;
  /** `undefined` for a route of the JSON-RPC listener. */
  readonly port: OwnPort | undefined;
  /** Whether the plugin is active; a route of a disabled one is not found. */
  isActive(): boolean;
  handle(request: RouteRequest): Promise<RouteReply>;
}

/** Where a route is served: on the JSON-RPC listener, or on its plugin's port. */
export type RoutePlace = "shared" | "own";

/** The routes of all plugins, for listeners. */
export interface RouteSource {
  /** The routes of a place; the caller serves them from now on. */
  serve(place: RoutePlace): readonly BoundRoute[];
}

const PATH = /^(\/(:[a-z][A-Za-z0-9]*|[A-Za-z0-9._~-]+))+\/?$/;

/** Throws if a listener could not serve the route. */
export function verifyRoute(plugin: string, { method, path }: HttpRoute<never>): void {
  const problem = ["GET", "POST"].includes(method)
    ? PATH.test(path)
      ? undefined
      : 'expected a path such as "/reports/:year"'
    : "expected the method GET or POST";
  if (problem === undefined) return;
  throw new ConfigError("ROUTE_INVALID", {
    message: `${plugin} adds the route "${method} ${path}"; ${problem}`,
    plugin,
  });
}
