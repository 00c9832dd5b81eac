import type { Health, PluginMetrics } from "@plinth/core";
import type { NetworkDriver } from "@plinth/core/network";
import { createMetrics } from "./metrics.js";
import { type Devp2pConfig, readSettings } from "./settings.js";

/** The part of a node that the driver registers with. */
interface Registering {
  readonly metrics: PluginMetrics;
  readonly health: { check(name: string, check: () => Health): void };
  readonly network: { driver(driver: NetworkDriver): void };
}

/** Registers the driver; its implementation is loaded when a node with P2P opens. */
export function registerDriver(node: Registering, config: Devp2pConfig): void {
  const metrics = createMetrics(node.metrics);
  if (!config.p2pEnabled) return;
  let health = (): Health => ({ status: "up" });
  node.health.check("peers", () => health());
  node.network.driver({
    name: "devp2p",
    async open(host) {
      const settings = readSettings(config);
      const { Devp2pTransport } = await import("./transport.js");
      const hasBootnodes = config.bootnodes.length > 0;
      const transport = await Devp2pTransport.open({ host, settings, metrics, hasBootnodes });
      health = () => transport.health();
      return transport;
    },
  });
}
