import type { PluginMetrics } from "@plinth/core";
import type { NetworkDriver } from "@plinth/core/network";
import { createMetrics } from "./metrics.js";
import { type Devp2pConfig, readSettings } from "./settings.js";

/** The part of a node that the driver registers with. */
interface Registering {
  readonly metrics: PluginMetrics;
  readonly network: { driver(driver: NetworkDriver): void };
}

/** Registers the driver; what it needs is loaded when a node with peers opens. */
export function registerDriver(node: Registering, config: Devp2pConfig): void {
  const metrics = createMetrics(node.metrics);
  if (!config.p2pEnabled) return;
  node.network.driver({
    name: "devp2p",
    async open(host) {
      const settings = readSettings(config);
      const { Devp2pTransport } = await import("./transport.js");
      const hasBootnodes = config.bootnodes.length > 0;
      return Devp2pTransport.open({ host, settings, metrics, hasBootnodes });
    },
  });
}
