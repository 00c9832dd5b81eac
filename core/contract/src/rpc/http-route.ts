import type { IncomingHttpHeaders } from "node:http";
import { ConfigError } from "../kernel/errors.js";
import type { Part } from "./answer.js";

type Awaitable<T> = T | Promise<T>;

/** A request to a route, whose body was read already. */
export interface RouteRequest {
  /** Without the query. */
  readonly path: string;
  /** The parts of the path that the route names: `/blocks/:number` has `number`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** As UTF-8; empty where the request has none. */
  readonly body: string;
  readonly remoteAddress: string | undefined;
  /** Aborts when the client leaves, when the time limit has passed or when the plugin stops. */
  readonly signal: AbortSignal;
}

/** What a route answers with: JSON, or text, bytes or a stream. */
export interface RouteReply {
  /** 200 when left out. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: Part;
}

/** A route of a plugin: what it answers to one method and path. `R` is the plugin's runtime. */
export interface HttpRoute<R> {
  readonly method: "GET" | "POST";
  /** `/reports/:year`; a part after a colon matches anything up to the next slash. */
  readonly path: string;
  // A property, not a method: a handler that requires more than `R` must not fit.
  readonly handle: (request: RouteRequest, runtime: R) => Awaitable<RouteReply>;
}

/** A port of the plugin's own. */
export interface OwnPort {
  /** 127.0.0.1 when left out. */
  readonly host?: string;
  /** 0 picks a free one. */
  readonly port: number;
}

/** A route as listeners see it, with its plugin's runtime bound. */
export interface BoundRoute extends Pick<HttpRoute<never>, "method" | "path"> {
  readonly plugin: string;
  /** `undefined` for a route of the JSON-RPC listener. */
  readonly port: OwnPort | undefined;
  /** Whether the plugin still takes part; a route of a disabled one is not found. */
  isActive(): boolean;
  handle(request: RouteRequest): Promise<RouteReply>;
}

/** Where a route is served: on the JSON-RPC listener, or on a port of its plugin. */
export type RoutePlace = "shared" | "own";

/** The routes of all plugins, for listeners. */
export interface RouteSource {
  /** The routes of a place; the caller serves them from now on. */
  serve(place: RoutePlace): readonly BoundRoute[];
}

const PATH = /^(\/(:[a-z][A-Za-z0-9]*|[A-Za-z0-9._~-]+))+$/;

/** Throws when a listener could not serve the route. */
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
