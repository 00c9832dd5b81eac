import { mkdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { GenesisTemplate } from "@plinth/core/consensus";
import { verifyTarget, writeFolder } from "@plinth/core/kernel";
import { verifyDiskSpace } from "./disk-space.js";
import { formatGenesis } from "./genesis-text.js";
import { NETWORK_FILE, type Network, networkFileText } from "./network.js";
import { type NodeFilesSettings, nodeFiles } from "./node-files.js";
import { describeNetwork, type NetworkSettings, planNodes } from "./plan-network.js";
import { formatReadme } from "./readme-text.js";

/** Dependencies of creating a network. */
export interface CreateSettings {
  readonly settings: NetworkSettings;
  readonly template: GenesisTemplate;
  readonly nowMs: number;
  /** Called before anything is written; throws if the network could not run. */
  readonly verify?: (network: Network) => Promise<void>;
}

/** Creates the files of a network in a folder that is empty or missing, atomically. */
export async function createNetwork(
  to: string,
  { settings, template, nowMs, verify }: CreateSettings,
): Promise<Network> {
  const folder = resolve(to);
  await verifyTarget(folder);
  const planned = await planNodes(settings);
  const network = describeNetwork(settings, planned);
  await verify?.(network);
  const validators = network.nodes.map(({ address }) => address);
  const genesis = formatGenesis(settings, { template, validators, nowMs });
  const isLocal = settings.hosts.length === 0;
  const shared = { network, genesis, template, isLocal };
  const files = planned.flatMap((each) =>
    nodeFiles({ ...shared, ...each, home: settings.home ?? join(folder, each.node.name) }).map(
      (file) => ({ ...file, path: join(each.node.name, file.path) }),
    ),
  );
  await mkdir(dirname(folder), { recursive: true });
  await verifyDiskSpace(dirname(folder), settings.nodes);
  await writeFolder(folder, [
    ...files,
    { path: "genesis.json", content: genesis },
    { path: "README.md", content: formatReadme(network, { template, settings, folder }) },
    { path: NETWORK_FILE, content: networkFileText(network) },
  ]);
  return network;
}

/** Writes the folder of one node, atomically. */
export async function writeNode(settings: NodeFilesSettings): Promise<void> {
  await writeFolder(settings.home, nodeFiles(settings));
}
