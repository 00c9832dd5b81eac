import type { HttpRoute, RouteReply, Runtime } from "@plinth/core";
import { ConfigError } from "@plinth/core";
import type { PluginInstance } from "@plinth/core/kernel";
import { activities } from "@plinth/core/kernel";
import {
  type BoundRoute,
  type OwnPort,
  type RoutePlace,
  type RouteSource,
  verifyRoute,
} from "@plinth/core/rpc";

/** The routes added by plugins. */
export class Routes implements RouteSource {
  readonly #routes: BoundRoute[] = [];
  readonly #served = new Set<RoutePlace>();

  /** Adds a route; throws if a listener could not serve it, or another plugin has it. */
  add(instance: PluginInstance<Runtime>, route: HttpRoute<never>, port?: OwnPort): void {
    const { name } = instance;
    verifyRoute(name, route);
    const others = this.#routes.filter((other) => isSamePlace(other, { plugin: name, port }));
    verifyFree(name, route, others);
    if (port !== undefined) verifyOnePort(name, port, others);
    this.#routes.push(bind(instance, route, port));
  }

  /** The routes of a place, for the listener that serves them from now on. */
  serve(place: RoutePlace): readonly BoundRoute[] {
    this.#served.add(place);
    return this.#of(place);
  }

  /** Every route. */
  all(): readonly BoundRoute[] {
    return this.#routes;
  }

  /** The routes of places that no listener serves. */
  unserved(): readonly BoundRoute[] {
    const places: readonly RoutePlace[] = ["shared", "own"];
    return places.filter((place) => !this.#served.has(place)).flatMap((place) => this.#of(place));
  }

  #of(place: RoutePlace): readonly BoundRoute[] {
    return this.#routes.filter(({ port }) => (port === undefined) === (place === "shared"));
  }
}

type Placed = Pick<BoundRoute, "plugin" | "port">;

/** Plugins share the JSON-RPC listener; their own port is theirs alone. */
function isSamePlace(a: Placed, b: Placed): boolean {
  if (a.port === undefined || b.port === undefined) return a.port === b.port;
  return a.plugin === b.plugin;
}

function verifyFree(
  plugin: string,
  { method, path }: HttpRoute<never>,
  others: readonly BoundRoute[],
): void {
  const other = others.find((route) => route.method === method && route.path === path);
  if (other === undefined) return;
  throw new ConfigError("ROUTE_CONFLICT", {
    message: `${other.plugin} and ${plugin} both add the route "${method} ${path}"; keep one of them`,
    plugin,
  });
}

function verifyOnePort(plugin: string, port: OwnPort, others: readonly BoundRoute[]): void {
  const other = others.find((route) => textOf(route.port) !== textOf(port));
  if (other === undefined) return;
  throw new ConfigError("ROUTE_CONFLICT", {
    message: `${plugin} adds routes on ${textOf(other.port)} and on ${textOf(port)}; a plugin may have at most one port`,
    plugin,
  });
}

function textOf(port: OwnPort | undefined): string {
  return `${port?.host ?? "127.0.0.1"}:${port?.port}`;
}

function bind(
  instance: PluginInstance<Runtime>,
  { method, path, handle }: HttpRoute<never>,
  port: OwnPort | undefined,
): BoundRoute {
  const what = `${instance.name} in ${method} ${path}`;
  return {
    plugin: instance.name,
    method,
    path,
    port,
    isActive: () => instance.active && instance.runtime !== undefined,
    handle: async (request) => {
      const { runtime } = instance;
      const signal = AbortSignal.any([request.signal, ...(runtime ? [runtime.signal] : [])]);
      const run = () => handle({ ...request, signal }, runtime as never);
      return (await activities.track(what, run)) as RouteReply;
    },
  };
}
