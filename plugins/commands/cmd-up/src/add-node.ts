import { readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { command, option, optionKinds } from "@plinth/core";
import { genesisTemplates } from "@plinth/core/consensus";
import { replaceFile } from "@plinth/core/storage";
import {
  findBasePort,
  MAX_BASE_PORT,
  NETWORK_FILE,
  type Network,
  networkFileText,
  planNextNode,
  verifyFreePorts,
  writeNode,
} from "@plinth/plugin-cmd-genesis/api";
import { callNode, urlOf } from "./ask-node.js";
import { chooseFolder } from "./choose-folder.js";
import { folderFlag } from "./flags.js";
import { type NetworkFolder, openFolder } from "./folder.js";
import { takeLock } from "./lock.js";
import { findRunning, launchNode } from "./nodes.js";
import { namePorts } from "./ports.js";

const CHANGE_LOCK = "change.lock";

const flags = {
  ...folderFlag,
  validator: option.flag({ summary: "Lets the running validators vote for it." }),
  snapshot: option.list({
    summary: "Folders or addresses of a snapshot that it joins the chain by.",
    of: optionKinds.text(),
  }),
  basePort: option.integer({
    summary:
      "RPC port of the first node, from which that of the new one is derived; by default as in the network, 0 selects free ones.",
    min: 0,
    max: MAX_BASE_PORT,
  }),
};

/** `up add-node`: adds a node to a network; it is started if the others run. */
export const addNode = command({
  id: "up add-node",
  summary: "Adds a node to a network created by `up`, and starts it if the others run.",
  examples: [
    "plinth up add-node",
    "plinth up add-node --validator --data-path=network",
    "plinth up add-node --validator --snapshot=/srv/snapshots/latest",
  ],
  flags,
  uses: { points: [genesisTemplates] },
  async run({ flags, io, contributions, program, ...context }) {
    const given = chooseFolder(flags.dataPath, context);
    const templates = contributions(genesisTemplates);
    const { path } = await openFolder(given, templates);
    await using _lock = await takeLock(path, CHANGE_LOCK);
    // Another process may have added one in between.
    const folder = await openFolder(given, templates);
    const node = await createNode(folder, flags);
    const running = await findRunning(path, folder.network, program);
    await io.write(`added ${node.name}, ${node.address}`);
    if (running.size === 0) return;
    await launchNode({ program, folder: path, node, ended: () => {} });
    await io.write(`started ${node.name}; RPC: ${urlOf(node)}`);
    if (!flags.validator) return;
    const voters = folder.network.nodes.filter(({ name }) => running.has(name));
    for (const voter of voters) {
      await callNode(voter, folder.template.voteMethod, [node.address, true]);
      await io.write(`${voter.name} votes for ${node.name}`);
    }
  },
});

/** The flags that determine its files. */
interface NewNodeFlags {
  readonly basePort?: number | undefined;
  readonly snapshot?: readonly string[] | undefined;
}

/** Its folder comes first: without an entry in the network file it has no effect. */
async function createNode(
  { path, network, template }: NetworkFolder,
  { basePort = findBasePort(network.nodes), snapshot = [] }: NewNodeFlags,
) {
  const snapshots = snapshot.map((source) =>
    /^https?:\/\//i.test(source) ? source : resolve(source),
  );
  const planned = await planNextNode(network, basePort);
  const { node } = planned;
  await verifyFreePorts(namePorts([node]));
  const grown: Network = { ...network, nodes: [...network.nodes, node] };
  const home = join(path, node.name);
  const genesis = await readFile(join(path, "genesis.json"), "utf8");
  await rm(home, { recursive: true, force: true });
  await writeNode({
    ...planned,
    network: grown,
    genesis,
    template,
    home,
    isLocal: true,
    snapshots,
  });
  await replaceFile(join(path, NETWORK_FILE), networkFileText(grown), { isSynced: false });
  return node;
}
