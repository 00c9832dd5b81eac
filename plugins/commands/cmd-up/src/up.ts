import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { type CommandIo, command, option } from "@plinth/core";
import { type GenesisTemplate, genesisTemplates } from "@plinth/core/consensus";
import {
  createNetwork,
  DEFAULT_NETWORK,
  DEV_ACCOUNTS,
  describePorts,
  findNetwork,
  findTemplate,
  formatJoining,
  MAX_BASE_PORT,
  type Network,
  verifyDiskSpace,
  verifyFreePorts,
} from "@plinth/plugin-cmd-genesis/api";
import { chooseFolder } from "./choose-folder.js";
import { findExplorer } from "./find-explorer.js";
import { folderFlag, LOCK_FILE } from "./flags.js";
import { type NetworkFolder, verifyLocal } from "./folder.js";
import { NetworkScreen } from "./follow.js";
import { takeLock } from "./lock.js";
import { findRunning, launchNodes, type ProcessEnd, stopNodes } from "./nodes.js";
import { namePorts } from "./ports.js";
import { formatTable } from "./table.js";
import { type AskedNetwork, verifySameNetwork } from "./verify-same-network.js";
import { viewNetwork } from "./view-network.js";

/** Separate, so that one can be omitted from a shared set. */
const PRIVATE_NODES = 3;

const flags = {
  ...folderFlag,
  engine: option.text({
    summary: `Engine of a new network: qbft, ibft2 or clique; ${DEFAULT_NETWORK.engine} by default.`,
  }),
  nodes: option.integer({
    summary: `Number of validators of a new network; ${DEFAULT_NETWORK.nodes} by default.`,
    min: 1,
    max: 100,
  }),
  period: option.integer({
    summary: `Seconds between the blocks of a new network; ${DEFAULT_NETWORK.period} by default.`,
    min: 1,
    max: 3600,
  }),
  chainId: option.integer({
    summary: `Chain id of a new network; ${DEFAULT_NETWORK.chainId} by default.`,
    min: 1,
  }),
  basePort: option.integer({
    summary: `RPC port of the first node of a new network, from which all other ports are derived; the command prints them. ${DEFAULT_NETWORK.basePort} by default, 0 selects free ones.`,
    min: 0,
    max: MAX_BASE_PORT,
  }),
  privacy: option.flag({
    summary: `Gives every node of a new network a private transaction manager; with ${PRIVATE_NODES} nodes by default.`,
  }),
  detach: option.flag({
    summary: "Exits once the network produces blocks, and leaves it running.",
  }),
};

const FAULT = 1;
/** Time limit for the first block of a detached network: a fixed time, plus a number of periods. */
const START_SECONDS = 120;
const START_PERIODS = 10;

/** `up`: creates a network, starts its nodes and shows their activity. */
export const up = command({
  id: "up",
  summary:
    "Runs a private network on this machine: creates what is missing, starts the nodes, shows blocks, the first after a few seconds; Ctrl-C stops all.",
  examples: [
    "plinth up",
    "plinth up --engine=ibft2 --nodes=7 --period=1 --data-path=network",
    "plinth up --detach",
    "plinth up --privacy --data-path=private-network",
  ],
  flags,
  uses: { points: [genesisTemplates] },
  async run({ flags, io, contributions, program, signal, ...context }) {
    const given = chooseFolder(flags.dataPath, context);
    const folder = await prepareFolder(given, flags, contributions(genesisTemplates), io);
    await using _lock = await takeLock(folder.path, LOCK_FILE);
    const { network } = folder;
    const running = await findRunning(folder.path, network, program);
    const missing = network.nodes.filter(({ name }) => !running.has(name));
    for (const [name, pid] of running)
      await io.write(`${name} is already running (process ${pid})`);
    await verifyFreePorts(namePorts(missing));
    await verifyDiskSpace(folder.path, missing.length);
    const hasData = network.nodes.some(({ name }) => existsSync(join(folder.path, name, "data")));
    const ends = new Map<string, ProcessEnd | undefined>(
      missing.map(({ name }) => [name, undefined]),
    );
    const launched = await launchNodes(missing, {
      ...{ program, folder: folder.path },
      ended: (name, end) => void ends.set(name, end),
    });
    const pids = new Map([...running, ...launched]);
    await io.write(describeStart(folder, await findExplorer(folder)));
    const screen = new NetworkScreen(folder, io, {
      ...{ pids, ends, program },
      height: hasData ? undefined : 0,
    });
    if (flags.detach) return detach(folder, screen, { io, signal });
    const outcome = await screen.follow(signal);
    if (outcome === "ended") {
      await io.write("no node runs any more");
      return FAULT;
    }
    await io.write(`stopping ${[...screen.pids.keys()].join(", ")}`);
    await stopNodes(screen.pids.values());
    await io.write(`stopped; \`plinth --data-path=${folder.path} up\` resumes the network`);
    return 0;
  },
});

/** Leaves the nodes running once they produce blocks. */
async function detach(
  { path, network, template }: NetworkFolder,
  screen: NetworkScreen,
  { io, signal }: { readonly io: CommandIo; readonly signal: AbortSignal },
): Promise<number> {
  const limitSeconds = START_SECONDS + START_PERIODS * network.periodSeconds;
  const limit = AbortSignal.timeout(limitSeconds * 1000);
  const outcome = await screen.follow(AbortSignal.any([signal, limit]), (views) => {
    const running = views.filter(({ pid }) => pid !== undefined);
    return running.length > 0 && running.every(({ answer }) => (answer?.head.number ?? 0) > 0);
  });
  if (outcome !== "enough") {
    await stopNodes(screen.pids.values());
    const when = limit.aborted ? `: there was none within ${limitSeconds} s` : "";
    await io.write(`stopped before there was a block${when}`);
    return FAULT;
  }
  const views = await viewNetwork(network, screen.pids, template);
  await io.write(formatTable(views, io.hasColors));
  await io.write(`the nodes keep running; \`plinth --data-path=${path} up stop\` stops them`);
  const down = views.filter(({ pid }) => pid === undefined).map(({ node }) => node.name);
  if (down.length === 0) return 0;
  await io.write(`down: ${down.join(", ")}`);
  return FAULT;
}

/** The network of a folder, created if the folder is empty or missing. */
async function prepareFolder(
  given: string,
  asked: AskedNetwork,
  templates: readonly GenesisTemplate[],
  io: CommandIo,
): Promise<NetworkFolder> {
  if (asked.engine !== undefined) findTemplate(asked.engine, templates);
  const found = await findNetwork(given);
  if (found !== undefined) {
    verifyLocal(given, found);
    verifySameNetwork(given, asked, found);
  }
  const engine = found?.engine ?? asked.engine ?? DEFAULT_NETWORK.engine;
  const template = findTemplate(engine, templates);
  const network = found ?? (await create(given, asked, template));
  if (found === undefined) {
    await io.write(
      [
        `created a ${template.title} network in ${given}; ${DEV_ACCOUNTS.length} accounts with published keys have 10,000 ether each`,
        "ports, which --base-port changes:",
        ...describePorts(network.nodes),
        `another node joins with: ${formatJoining(network, given)}`,
      ].join("\n"),
    );
  }
  return { path: await realpath(given), network, template };
}

function create(to: string, asked: AskedNetwork, template: GenesisTemplate): Promise<Network> {
  return createNetwork(to, {
    settings: {
      engine: template.engine,
      nodes: asked.nodes ?? (asked.privacy ? PRIVATE_NODES : DEFAULT_NETWORK.nodes),
      periodSeconds: asked.period ?? DEFAULT_NETWORK.period,
      chainId: asked.chainId ?? DEFAULT_NETWORK.chainId,
      basePort: asked.basePort ?? DEFAULT_NETWORK.basePort,
      hosts: [],
      funded: DEV_ACCOUNTS,
      isGasFree: true,
      isPrivate: asked.privacy,
    },
    template,
    nowMs: Date.now(),
    verify: ({ nodes }) => verifyFreePorts(namePorts(nodes)),
  });
}

function describeStart({ network, template }: NetworkFolder, explorer: string | undefined): string {
  const { nodes, chainId, periodSeconds } = network;
  return `${template.title}, chain id ${chainId}, a block every ${periodSeconds} s, ${nodes.length} node${nodes.length === 1 ? "" : "s"}; RPC of ${nodes[0]?.name}: http://127.0.0.1:${nodes[0]?.rpcPort}${explorer === undefined ? "" : `\nexplorer: ${explorer}`}`;
}
