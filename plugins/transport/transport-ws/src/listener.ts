import type { Clock, Dependencies, Options, OptionValues, PluginNode } from "@plinth/core";
import {
  addLogin,
  ClientLimits,
  Connection,
  findLogin,
  type ListenerNode,
  type Login,
  logins,
  MessageScheduler,
  type NodePages,
  nodePages,
  PortServer,
  ResponseGuard,
  readResponseLimits,
  readWildcardList,
  registerListener,
  TlsListener,
  upgradeTargets,
} from "@plinth/kit-http";
import { answerAsBesu } from "./besu-unparsable.js";
import { type options, TLS } from "./options.js";
import { keepAlive } from "./pings.js";
import { ServerTarget } from "./server-target.js";

type Config = OptionValues<typeof options>;

const ENDPOINT = "ws-rpc";

/** Plain HTTP requests have no body here. */
const MAX_BODY_BYTES = 1024;
/** Time limit of the closing handshake. */
const FAREWELL_MS = 1000;
/** The close code of a server that shuts down (RFC 6455, 7.4.1). */
const GOING_AWAY = 1001;

/** Serves JSON-RPC over WebSocket once every plugin has started. */
export function registerWsListener(
  node: ListenerNode & Pick<PluginNode<Options, Dependencies>, "contribute">,
  config: Config,
): void {
  const onHttpPort = new ServerTarget();
  if (config.rpcWsOnHttpPort) node.contribute(upgradeTargets, onHttpPort);
  const dead = node.metrics.counter({
    name: "dead_peers_disconnected",
    help: "Clients that were disconnected because they did not respond to pings.",
  });
  const guard = new ResponseGuard(node, readResponseLimits(config));
  const limits = new ClientLimits(node, config);
  const { addressOf } = limits;
  let login: Login | undefined;
  let pages: readonly NodePages[] = [];
  node.hooks.lifecycle.registered.tap(({ contributions }) => {
    login = findLogin(contributions(logins), ENDPOINT);
    pages = contributions(nodePages);
  });
  const tls = TlsListener.register(node, { ...TLS, listener: ENDPOINT }, config);
  registerListener(node, {
    title: "Websocket service",
    tls,
    endpoint: {
      name: ENDPOINT,
      transport: "ws",
      namespaces: config.rpcWsApi,
      duplex: true,
      maxBatchSize: config.rpcWsMaxBatchSize,
    },
    address: { host: config.rpcWsHost, port: config.rpcWsPort },
    options: { api: "rpc-ws-api", host: "rpc-ws-host", port: "rpc-ws-port" },
    elsewhere: config.rpcWsOnHttpPort ? "the HTTP port" : undefined,
    async createServer(endpoint, runtime) {
      const settings = {
        hosts: readWildcardList("host-allowlist", config.hostAllowlist),
        // Browsers let any page open a WebSocket to any host, without a preflight request.
        origins: readWildcardList("rpc-ws-origins", config.rpcWsOrigins),
        originsOption: "rpc-ws-origins",
        explainsRefusals: !runtime.compatibility.hasBareErrors,
        pages,
        maxConnections: config.rpcWsMaxActiveConnections,
        addressLimit: limits.addresses,
        tls,
        maxBodyBytes: MAX_BODY_BYTES,
        takesUpgrades: true,
      };
      const port = new PortServer(settings, async (server) => {
        server.addHook("preClose", (done) => {
          for (const socket of server.websocketServer.clients) sayGoodbye(socket, runtime.clock);
          done();
        });
        const { default: websocket } = await import("@fastify/websocket");
        await server.register(websocket, {
          options: {
            maxPayload: config.rpcWsMaxFrameSize,
            // Old web3 clients request a subprotocol of this name and disconnect if they do not get
            // it.
            handleProtocols: (names) => (names.has("undefined") ? "undefined" : false),
          },
        });
        server.addHook("onRequest", (request, reply, done) => {
          const isLogin = login !== undefined && request.url === "/login";
          if (request.ws || (isLogin && request.method === "POST")) done();
          else refusePlainHttp(reply.hijack().raw);
        });
        // After a handshake the HTTP server does not own the socket, so that of a rejected one must
        // be closed here.
        server.addHook("onResponse", ({ raw: { headers, socket } }, _reply, done) => {
          if (headers.upgrade !== undefined) socket.destroy();
          done();
        });
        const turns = new MessageScheduler();
        const isBesu = runtime.compatibility.mode === "besu";
        const answerUnparsable = isBesu ? answerAsBesu : undefined;
        addLogin(server, login, { log: runtime.log, addressOf });
        server.get("/*", { websocket: true }, (socket, request) => {
          const remoteAddress = addressOf(request.raw);
          const { headers } = request;
          const calls = limits.callsOf(remoteAddress);
          const settings = { endpoint, runtime, guard, turns, remoteAddress, headers, calls };
          const connection = new Connection(socket, { ...settings, answerUnparsable });
          keepAlive(socket, {
            clock: runtime.clock,
            intervalMs: config.rpcWsPingIntervalSeconds * 1000,
            isExpectedToAnswer: () => connection.isQuiet,
            onDead: () => dead.increment(),
          });
        });
        server.setNotFoundHandler((_request, reply) => refusePlainHttp(reply.hijack().raw));
      });
      onHttpPort.open(port.server);
      return port;
    },
  });
}

function refusePlainHttp(response: {
  writeHead(status: number, headers: Record<string, string>): { end(text: string): unknown };
}): void {
  const headers = { "content-type": "text/plain" };
  response.writeHead(400, headers).end("Websocket endpoint can't handle HTTP requests");
}

function sayGoodbye(
  socket: {
    close(code: number): void;
    terminate(): void;
    once(event: "close", listener: () => void): unknown;
  },
  clock: Clock,
): void {
  socket.close(GOING_AWAY);
  socket.once(
    "close",
    clock.after(FAREWELL_MS, () => socket.terminate()),
  );
}
