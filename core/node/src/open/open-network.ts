import type { Runtime, SubProtocol } from "@plinth/core";
import type { Configuration, Logs } from "@plinth/core/kernel";
import { chooseDriver } from "@plinth/core/kernel";
import { formatCapability, networkDrivers, subProtocols } from "@plinth/core/network";
import type { BoundProtocol } from "../network/bound-protocol.js";
import type { NodeNetwork } from "../network/node-network.js";
import { coreOptions } from "../plugin/options.js";
import { failedIn, type Registries } from "../plugin/registries.js";
import type { NodeResources } from "./open-resources.js";

/** The inputs to open the network driver. */
export interface NetworkSettings {
  readonly network: NodeNetwork;
  readonly resources: NodeResources;
  readonly config: Configuration;
  readonly registries: Registries;
  readonly clientVersion: string;
  readonly logs: Logs;
}

/**
 * Opens the network driver with the protocols of all plugins; does nothing if no driver is loaded.
 */
export async function openNetwork(settings: NetworkSettings): Promise<void> {
  const { network, resources, config, registries, clientVersion, logs } = settings;
  const { contributions } = registries;
  const { networkDriver, dataPath } = config.valuesOf(coreOptions);
  const isAsked = config.isSet("networkDriver");
  if (!isAsked && contributions.list(networkDrivers).length === 0) return;
  const { plugin, driver } = chooseDriver(contributions, networkDrivers, networkDriver);
  const protocols = bindProtocols(registries);
  resources.inUse.set(plugin, `the network driver ${driver.name}`);
  for (const protocol of protocols) {
    resources.inUse.set(protocol.plugin, `the sub-protocol ${formatCapability(protocol)}`);
  }
  try {
    await network.open(driver, {
      genesis: resources.genesis.json,
      nodeKey: resources.nodeKey,
      clientVersion,
      dataPath,
      log: logs.for(plugin),
      protocols,
    });
  } catch (error) {
    throw failedIn({ name: plugin }, "opening the network", error);
  }
}

/** The protocols of this chain, of plugins that are not idle, each with its plugin's runtime. */
function bindProtocols(registries: Registries): readonly BoundProtocol[] {
  return registries.contributions.entries(subProtocols).flatMap(({ plugin, item }) => {
    const instance = registries.find(plugin);
    const runtime = instance?.runtime;
    if (instance?.active !== true || runtime === undefined) return [];
    const protocol = item as SubProtocol<Runtime>;
    if (protocol.isOffered?.(runtime) === false) return [];
    const { name, version, length } = protocol;
    return [{ plugin, name, version, length, open: (peer) => protocol.connected(peer, runtime) }];
  });
}
