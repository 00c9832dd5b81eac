import type { Health, Logger, NodeHooks, PluginMetrics, Runtime } from "@plinth/core";
import type { Endpoint, EndpointSettings, ListenAddress, ListenTls } from "@plinth/core/rpc";
import { verifyApis } from "../apis.js";
import type { PortServer } from "./port-server.js";
import { ServedPort } from "./served-port.js";

/** The part of a plugin's node that a listener registers with. */
export interface ListenerNode {
  readonly log: Logger;
  readonly metrics: PluginMetrics;
  readonly hooks: NodeHooks;
  readonly health: { check(name: string, check: () => Health): void };
  onStart(start: (runtime: Runtime) => void): void;
  onStop(stop: () => Promise<void>): void;
  onReload(reload: () => Promise<void>): void;
}

/** A JSON-RPC listener as its plugin describes it. */
export interface ListenerSettings {
  /** Its name in log lines. */
  readonly title: string;
  readonly endpoint: EndpointSettings;
  readonly address: ListenAddress;
  /** The options of the namespaces and the address, for messages. */
  readonly options: { readonly api: string; readonly host: string; readonly port: string };
  /** The TLS settings; plain HTTP by default. */
  readonly tls?: ListenTls | undefined;
  /** Where else it is served: then a port in use is reported, but not an error. */
  readonly elsewhere?: string | undefined;
  createServer(endpoint: Endpoint, runtime: Runtime): Promise<PortServer>;
}

/**
 * Checks the namespaces early, opens the port when every plugin has started, and closes it in time.
 */
export function registerListener(node: ListenerNode, settings: ListenerSettings): void {
  const { log, hooks } = node;
  const { options } = settings;
  const endpoint = { ...settings.endpoint, namespacesOption: options.api };
  const port = new ServedPort({ ...settings, endpoint });
  node.metrics.gauge({
    name: "connections",
    help: "Open connections.",
    collect: () => port.connections,
  });
  hooks.lifecycle.registered.tap(({ namespaces }) =>
    verifyApis(options.api, { named: endpoint.namespaces, loaded: namespaces }, log),
  );
  hooks.lifecycle.ready.tap((_, runtime) => port.open(runtime, log));
  // Nothing new is accepted from here on; waiting for calls in progress has the time limit of
  // onStop.
  hooks.lifecycle.stopping.tap(() => void port.close());
  node.onStop(() => port.close());
}
