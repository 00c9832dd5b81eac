import type { Socket } from "node:net";
import type {
  Endpoint,
  EndpointSettings,
  ListenAddress,
  Logger,
  NodeHooks,
  PluginMetrics,
  Runtime,
} from "@plinth/core";
import type { FastifyInstance } from "fastify";
import { verifyApis } from "./apis.js";
import { listen } from "./listen.js";

/** The part of a plugin's node that a listener registers with. */
export interface ListenerNode {
  readonly log: Logger;
  readonly metrics: PluginMetrics;
  readonly hooks: NodeHooks;
  onStart(start: (runtime: Runtime) => void): void;
  onStop(stop: () => Promise<void>): void;
}

/** A JSON-RPC listener as its plugin describes it. */
export interface ListenerSettings {
  /** What log lines call it. */
  readonly title: string;
  readonly endpoint: EndpointSettings;
  readonly address: ListenAddress;
  /** The options that chose the namespaces and the address, for messages. */
  readonly options: { readonly api: string; readonly host: string; readonly port: string };
  createServer(endpoint: Endpoint, runtime: Runtime): Promise<FastifyInstance>;
}

/** Checks the namespaces early, opens the port when every plugin has started, and closes it in time. */
export function registerListener(node: ListenerNode, settings: ListenerSettings): void {
  const { log, hooks } = node;
  const { title, options } = settings;
  let server: FastifyInstance | undefined;
  let closing: Promise<void> | undefined;
  const connections = new Set<Socket>();
  let release = () => {};
  const close = async () => {
    release();
    closing ??= server?.close();
    await closing;
  };

  node.metrics.gauge({
    name: "connections",
    help: "Open connections.",
    collect: () => connections.size,
  });
  hooks.lifecycle.registered.tap(({ namespaces }) =>
    verifyApis(options.api, settings.endpoint.namespaces, namespaces),
  );
  hooks.lifecycle.ready.tap(async (_, runtime) => {
    const endpoint = runtime.rpc.endpoint(settings.endpoint);
    release = () => runtime.rpc.close(endpoint);
    server = await settings.createServer(endpoint, runtime);
    server.server.on("connection", (socket) => {
      connections.add(socket);
      socket.once("close", () => connections.delete(socket));
    });
    const { host, port } = await listen(server, { ...settings.address, options });
    endpoint.listening({ host, port });
    log.info(`${title} started and listening on ${host}:${port}`);
  });
  // Nothing new is taken from here on; waiting for calls under way has the time limit of onStop.
  hooks.lifecycle.stopping.tap(() => void close());
  node.onStop(close);
}
