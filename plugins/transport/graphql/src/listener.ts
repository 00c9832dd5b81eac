import { ConfigError, type OptionValues, type Runtime } from "@plinth/core";
import {
  addLogin,
  ClientLimits,
  createHttpServer,
  findLogin,
  type ListenerNode,
  type Login,
  logins,
  ResponseGuard,
  readResponseLimits,
  readWildcardList,
  registerListener,
  TlsListener,
} from "@plinth/kit-http";
import type { QuerySettings } from "@plinth/plugin-rpc-eth/api";
import { type GraphqlSchema, graphqlSchema } from "./api.js";
import { type options, TLS } from "./options.js";

type Config = OptionValues<typeof options>;
type Node = Omit<ListenerNode, "onStart"> & {
  onStart(
    start: (runtime: Runtime & { readonly settings: QuerySettings | undefined }) => void,
  ): void;
};

const ENDPOINT = "graphql-http";
const MAX_CONNECTIONS = 80;
/** As much as for JSON-RPC: a transaction with its blobs fits. */
const MAX_BODY_BYTES = 5_242_880;

/** Serves GraphQL once every plugin has started; its libraries are loaded only then. */
export function registerGraphqlListener(node: Node, config: Config): void {
  let contributed: readonly GraphqlSchema[] = [];
  let settings: QuerySettings | undefined;
  let login: Login | undefined;
  node.hooks.lifecycle.registered.tap(({ contributions }) => {
    contributed = contributions(graphqlSchema);
    login = findLogin(contributions(logins), ENDPOINT);
  });
  node.onStart((runtime) => {
    settings = runtime.settings;
  });
  const guard = new ResponseGuard(node, readResponseLimits(config));
  const limits = new ClientLimits(node, config);
  const tls = TlsListener.register(node, { ...TLS, listener: ENDPOINT }, config);
  registerListener(node, {
    title: "GraphQL HTTP service",
    tls,
    endpoint: {
      name: ENDPOINT,
      transport: "http",
      namespaces: [],
      duplex: false,
      maxBatchSize: 1,
    },
    address: { host: config.graphqlHttpHost, port: config.graphqlHttpPort },
    options: { api: "graphql-http-api", host: "graphql-http-host", port: "graphql-http-port" },
    async createServer(endpoint, runtime) {
      const http = {
        hosts: readWildcardList("host-allowlist", config.hostAllowlist),
        origins: readWildcardList("graphql-http-cors-origins", config.graphqlHttpCorsOrigins),
        originsOption: "graphql-http-cors-origins",
        explainsRefusals: !runtime.compatibility.hasBareErrors,
        maxConnections: MAX_CONNECTIONS,
        addressLimit: limits.addresses,
        tls,
        maxBodyBytes: MAX_BODY_BYTES,
        // The page queries its own origin.
        allowsOwnOrigin: config.graphqlUiEnabled,
      };
      return createHttpServer(http, async (server) => {
        const { serveGraphql } = await import("./serve.js");
        addLogin(server, login, { log: runtime.log, addressOf: limits.addressOf });
        await serveGraphql(server, {
          endpoint,
          runtime,
          guard,
          limits,
          settings: verifySettings(settings),
          contributed,
          hasPage: config.graphqlUiEnabled,
          documentLimits: {
            complexity: config.graphqlMaxComplexity,
            depth: config.graphqlMaxDepth,
          },
        });
      });
    },
  });
}

function verifySettings(settings: QuerySettings | undefined): QuerySettings {
  if (settings !== undefined) return settings;
  throw new ConfigError("SERVICE_MISSING", {
    message:
      "--graphql-http-enabled needs the settings for calls, logs and fees of @plinth/plugin-rpc-eth; add that plugin",
  });
}
