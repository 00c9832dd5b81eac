import type { Server } from "node:http";
import type { OptionValues } from "@plinth/core";
import {
  addPluginRoutes,
  type ListenerNode,
  PortServer,
  type ResponseGuard,
  readWildcardList,
  registerListener,
  type UpgradeTarget,
  upgradeTargets,
} from "@plinth/kit-http";
import { answerPosts } from "./answer-posts.js";
import type { options } from "./options.js";
import { addRoutes, verifyNotOurs } from "./routes.js";

/** Orchestrators ask from wherever they stand. */
const PROBES = ["/liveness", "/readiness"];

type Config = OptionValues<typeof options>;

/** Serves JSON-RPC over HTTP once every plugin has started. */
export function registerHttpListener(
  node: ListenerNode,
  config: Config,
  guard: ResponseGuard,
): void {
  let upgrades: UpgradeTarget | undefined;
  node.hooks.lifecycle.registered.tap(({ contributions }) => {
    [upgrades] = contributions(upgradeTargets);
  });
  registerListener(node, {
    title: "JSON-RPC service",
    endpoint: {
      name: "json-rpc",
      transport: "http",
      namespaces: config.rpcHttpApi,
      duplex: false,
      maxBatchSize: config.rpcHttpMaxBatchSize,
    },
    address: { host: config.rpcHttpHost, port: config.rpcHttpPort },
    options: { api: "rpc-http-api", host: "rpc-http-host", port: "rpc-http-port" },
    async createServer(endpoint, runtime) {
      const timeoutMs = config.XhttpTimeoutSeconds * 1000;
      const routes = runtime.http.serve("shared");
      verifyNotOurs(routes);
      const settings = {
        hosts: readWildcardList("host-allowlist", config.hostAllowlist),
        probes: PROBES,
        origins: readWildcardList("rpc-http-cors-origins", config.rpcHttpCorsOrigins),
        originsOption: "rpc-http-cors-origins",
        maxConnections: config.rpcHttpMaxActiveConnections,
        maxBodyBytes: config.rpcHttpMaxRequestContentLength,
        post: answerPosts({
          endpoint,
          runtime,
          guard,
          timeoutMs,
          isIndented: config.jsonPrettyPrintEnabled,
        }),
      };
      const server = new PortServer(settings, (routed) => {
        addRoutes(routed, runtime);
        const { log, clock } = runtime;
        addPluginRoutes(routed, routes, { log, clock, guard, timeoutMs });
      });
      // A mistake in a plugin's route is reported at the start.
      if (routes.length > 0) await server.load();
      if (upgrades !== undefined) forwardUpgrades(server.server, upgrades);
      return server;
    },
  });
}

function forwardUpgrades(server: Server, target: UpgradeTarget): void {
  server.on("upgrade", (request, socket, head) => {
    if (target.isOpen) target.accept(request, socket, head);
    else socket.destroy();
  });
}
