import type { OptionValues, Runtime } from "@plinth/core";
import type { BoundRoute, Endpoint } from "@plinth/core/rpc";
import {
  addPluginRoutes,
  createHttpServer,
  type ListenerNode,
  readWildcardList,
  ServedPort,
} from "@plinth/kit-http";
import type { HttpGuards } from "./http-client.js";
import type { options } from "./options.js";

type Config = OptionValues<typeof options>;

/** Serves the routes of plugins with a separate port, by the rules of the JSON-RPC listener. */
export function registerOwnPorts(node: ListenerNode, config: Config, guards: HttpGuards): void {
  const ports: ServedPort[] = [];
  const close = async () => {
    await Promise.all(ports.map((port) => port.close()));
  };
  node.hooks.lifecycle.ready.tap(async (_, runtime) => {
    for (const routes of byPlugin(runtime.http.serve("own"))) {
      const port = createPort(routes, config, guards);
      ports.push(port);
      await port.open(runtime, node.log);
    }
  });
  node.hooks.lifecycle.stopping.tap(() => void close());
  node.onStop(close);
}

function byPlugin(routes: readonly BoundRoute[]): readonly (readonly BoundRoute[])[] {
  const plugins = [...new Set(routes.map(({ plugin }) => plugin))];
  return plugins.map((name) => routes.filter(({ plugin }) => plugin === name));
}

function createPort(
  routes: readonly BoundRoute[],
  config: Config,
  { guard, limits }: HttpGuards,
): ServedPort {
  const [{ plugin, port } = { plugin: "", port: undefined }] = routes;
  return new ServedPort({
    title: `HTTP service of ${plugin}`,
    endpoint: { name: plugin, transport: "http", namespaces: [], duplex: false, maxBatchSize: 1 },
    address: { host: port?.host ?? "127.0.0.1", port: port?.port ?? 0 },
    async createServer(endpoint: Endpoint, { clock, log, compatibility }: Runtime) {
      const timeoutMs = config.XhttpTimeoutSeconds * 1000;
      const settings = {
        hosts: readWildcardList("host-allowlist", config.hostAllowlist),
        origins: readWildcardList("rpc-http-cors-origins", config.rpcHttpCorsOrigins),
        originsOption: "rpc-http-cors-origins",
        explainsRefusals: !compatibility.hasBareErrors,
        allowsOwnOrigin: true,
        maxConnections: config.rpcHttpMaxActiveConnections,
        addressLimit: limits.addresses,
        maxBodyBytes: config.rpcHttpMaxRequestContentLength,
      };
      return createHttpServer(settings, (server) => {
        addPluginRoutes(server, routes, { log, clock, guard, timeoutMs, endpoint, limits });
        server.setNotFoundHandler((_request, reply) => {
          void reply.code(404).type("text/plain").send("Not Found");
        });
      });
    },
  });
}
