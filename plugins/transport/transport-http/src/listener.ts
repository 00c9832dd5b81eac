import type { Server } from "node:http";
import type { OptionValues } from "@plinth/core";
import {
  addLogin,
  addPluginRoutes,
  findLogin,
  type ListenerNode,
  type Login,
  logins,
  type NodePages,
  nodePages,
  PortServer,
  readWildcardList,
  registerListener,
  TlsListener,
  type UpgradeTarget,
  upgradeTargets,
} from "@plinth/kit-http";
import { answerPosts } from "./answer-posts.js";
import type { HttpGuards } from "./http-client.js";
import { MinBlock } from "./min-block.js";
import { type options, TLS } from "./options.js";
import { addRoutes, verifyNotOurs } from "./routes.js";

/** Orchestrators may call from any host. */
const PROBES = ["/liveness", "/readiness"];

const ENDPOINT = "json-rpc";

type Config = OptionValues<typeof options>;

/** Serves JSON-RPC over HTTP once every plugin has started. */
export function registerHttpListener(node: ListenerNode, config: Config, guards: HttpGuards): void {
  const { guard, limits } = guards;
  const { addressOf } = limits;
  let upgrades: UpgradeTarget | undefined;
  let login: Login | undefined;
  let pages: readonly NodePages[] = [];
  node.hooks.lifecycle.registered.tap(({ contributions }) => {
    [upgrades] = contributions(upgradeTargets);
    login = findLogin(contributions(logins), ENDPOINT);
    pages = contributions(nodePages);
  });
  let headMoved = () => {};
  node.hooks.chain.headChanged.tap(() => headMoved());
  const tls = TlsListener.register(node, { ...TLS, listener: ENDPOINT }, config);
  registerListener(node, {
    title: "JSON-RPC service",
    tls,
    endpoint: {
      name: ENDPOINT,
      transport: "http",
      namespaces: config.rpcHttpApi,
      duplex: false,
      maxBatchSize: config.rpcHttpMaxBatchSize,
    },
    address: { host: config.rpcHttpHost, port: config.rpcHttpPort },
    options: { api: "rpc-http-api", host: "rpc-http-host", port: "rpc-http-port" },
    async createServer(endpoint, runtime) {
      const { blocks } = runtime.chain;
      const minBlock = new MinBlock(runtime.clock, () => blocks.head().number);
      headMoved = () => minBlock.headMoved();
      const timeoutMs = config.XhttpTimeoutSeconds * 1000;
      const routes = runtime.http.serve("shared");
      verifyNotOurs(routes);
      const settings = {
        hosts: readWildcardList("host-allowlist", config.hostAllowlist),
        probes: PROBES,
        origins: readWildcardList("rpc-http-cors-origins", config.rpcHttpCorsOrigins),
        originsOption: "rpc-http-cors-origins",
        explainsRefusals: !runtime.compatibility.hasBareErrors,
        pages,
        maxConnections: config.rpcHttpMaxActiveConnections,
        addressLimit: limits.addresses,
        tls,
        maxBodyBytes: config.rpcHttpMaxRequestContentLength,
        post: answerPosts({
          endpoint,
          runtime,
          guards,
          timeoutMs,
          minBlock,
          isIndented: config.jsonPrettyPrintEnabled,
        }),
      };
      const server = new PortServer(settings, (routed) => {
        addRoutes(routed, runtime);
        const { log, clock } = runtime;
        addLogin(routed, login, { log, addressOf });
        addPluginRoutes(routed, routes, { log, clock, guard, timeoutMs, endpoint, limits });
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
