import { ConfigError, command, option, optionKinds } from "@plinth/core";
import { genesisTemplates } from "@plinth/core/consensus";
import { askSettings } from "./ask-settings.js";
import { MAX_BASE_PORT } from "./choose-ports.js";
import { createNetwork } from "./create-network.js";
import { DEFAULT_NETWORK } from "./default-network.js";
import { describePorts } from "./describe-ports.js";
import { DEV_ACCOUNTS } from "./dev-accounts.js";
import { findTemplate } from "./find-template.js";

const flags = {
  to: option.path({ summary: "Folder for the files; it must be empty or missing." }),
  engine: option.text({ summary: "Engine of the network: qbft, ibft2 or clique." }),
  nodes: option.integer({ summary: "Number of initial validators.", min: 1, max: 100 }),
  period: option.integer({ summary: "Seconds between two blocks.", min: 1, max: 3600 }),
  chainId: option.integer({ summary: "Chain id of the network.", min: 1 }),
  gas: option.oneOf(["free", "paid"], {
    summary: "Whether transactions are free, or pay a base fee that follows demand.",
    default: "free",
  }),
  fund: option.list({
    summary: "Accounts that start with 10,000 ether.",
    of: optionKinds.address(),
  }),
  devAccounts: option.flag({
    summary: "Funds the accounts of the development chain, whose keys are published.",
  }),
  basePort: option.integer({
    summary:
      "RPC port of the first node, from which all other ports are derived; the command prints them. 0 selects free ones.",
    min: 0,
    max: MAX_BASE_PORT,
    default: DEFAULT_NETWORK.basePort,
  }),
  hosts: option.list({
    summary: "Hosts of the nodes, one address for each; by default all run on this machine.",
    of: optionKinds.host(),
  }),
  home: option.path({
    summary: "Folder of a node on its machine; by default where it is written.",
  }),
};

/** `genesis create`: genesis file, keys, static nodes and configurations of a new network. */
export const create = command({
  id: "genesis create",
  summary:
    "Creates the genesis file, the keys and the configurations of a new network; prompts on a terminal.",
  examples: [
    "plinth genesis create",
    "plinth genesis create --to=network --engine=qbft --nodes=4 --period=2",
    "plinth genesis create --to=network --nodes=4 --hosts=10.0.0.1,10.0.0.2,10.0.0.3,10.0.0.4 --home=/var/lib/plinth",
  ],
  flags,
  uses: { points: [genesisTemplates] },
  async run({ flags, io, contributions }) {
    const templates = contributions(genesisTemplates);
    const { gas, fund, devAccounts, basePort, hosts, home, ...asked } = flags;
    const { to, engine, nodes, period, chainId } = await askSettings(asked, io.ask, templates);
    if (to === undefined) throw withoutTarget();
    const template = findTemplate(engine, templates);
    const network = await createNetwork(to, {
      settings: {
        ...{ engine: template.engine, nodes, chainId, basePort, hosts, home },
        periodSeconds: period,
        funded: devAccounts ? [...new Set([...DEV_ACCOUNTS, ...fund])] : fund,
        isGasFree: gas === "free",
      },
      template,
      nowMs: Date.now(),
    });
    const lines = network.nodes.map(({ name, address }) => `${name}  ${address}`);
    await io.write(
      [
        `A ${template.title} network with chain id ${chainId} is in ${to}:`,
        ...lines,
        "Ports:",
        ...describePorts(network.nodes),
        hosts.length > 0
          ? "README.md describes what to copy where, and how to start it there."
          : `README.md describes its content; plinth --data-path=${to} up starts it on this machine.`,
      ].join("\n"),
    );
  },
});

function withoutTarget(): ConfigError {
  return new ConfigError("OPTION_MISSING", {
    message: "Missing required option: '--to=<PATH>'",
    option: "to",
  });
}
