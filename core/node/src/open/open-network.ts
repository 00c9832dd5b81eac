import type { Runtime, SubProtocol } from "@plinth/core";
import { following, type JoinProtocol } from "@plinth/core/chain";
import type { Configuration, Logs } from "@plinth/core/kernel";
import { chooseDriver } from "@plinth/core/kernel";
import {
  formatCapability,
  type NetworkDriver,
  networkDrivers,
  subProtocols,
} from "@plinth/core/network";
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
  const { resources, registries } = settings;
  const chosen = findNetworkDriver(settings);
  if (chosen === undefined) return;
  const protocols = bindProtocols(registries);
  resources.inUse.set(chosen.plugin, `the network driver ${chosen.driver.name}`);
  for (const protocol of protocols) {
    resources.inUse.set(protocol.plugin, `the sub-protocol ${formatCapability(protocol)}`);
  }
  await openWith(chosen, protocols, settings);
}

/**
 * Connects a node that has no chain yet to peers, with the protocols of the plugin that fills its
 * database; `undefined` if no driver is loaded.
 */
export async function openJoinNetwork(
  settings: NetworkSettings,
  plugin: string,
  protocols: readonly JoinProtocol[],
): Promise<AsyncDisposable | undefined> {
  const { network } = settings;
  const chosen = findNetworkDriver(settings);
  if (chosen === undefined) return undefined;
  const bound = protocols.map(({ name, version, length, connected }) => ({
    ...{ plugin, name, version, length },
    open: connected,
  }));
  await openWith(chosen, bound, settings);
  try {
    await network.start();
  } catch (error) {
    await network.stop();
    throw error;
  }
  return { [Symbol.asyncDispose]: () => network.stop() };
}

type ChosenDriver = { readonly plugin: string; readonly driver: NetworkDriver };

function findNetworkDriver({ config, registries }: NetworkSettings): ChosenDriver | undefined {
  const { contributions } = registries;
  if (contributions.list(following).length > 0) return undefined;
  const isAsked = config.isSet("networkDriver");
  if (!isAsked && contributions.list(networkDrivers).length === 0) return undefined;
  const { networkDriver } = config.valuesOf(coreOptions);
  return chooseDriver(contributions, networkDrivers, networkDriver);
}

async function openWith(
  { plugin, driver }: ChosenDriver,
  protocols: readonly BoundProtocol[],
  { network, resources, config, clientVersion, logs }: NetworkSettings,
): Promise<void> {
  const { dataPath } = config.valuesOf(coreOptions);
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
