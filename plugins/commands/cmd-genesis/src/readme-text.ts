import { join } from "node:path";
import type { GenesisTemplate } from "@plinth/core/consensus";
import type { Network } from "./network.js";
import type { NetworkSettings } from "./plan-network.js";

/** Instructions for the operator who opens the folder. */
export function formatReadme(
  network: Network,
  {
    template,
    settings,
    folder,
  }: {
    readonly template: GenesisTemplate;
    readonly settings: Pick<NetworkSettings, "hosts" | "home">;
    readonly folder: string;
  },
): string {
  const { nodes, chainId, periodSeconds } = network;
  const down = template.mayBeDown(nodes.length);
  return [
    `# A ${template.title} network`,
    "",
    `Chain id ${chainId}, a block every ${periodSeconds} s, ${count(nodes.length, "validator")}; ${down === 0 ? "all of them must run" : `${down} may be down`}.`,
    "",
    "| Node | Address | RPC | Peers |",
    "| --- | --- | --- | --- |",
    ...nodes.map(
      ({ name, address, rpcPort, enode }) =>
        `| ${name} | ${address} | http://127.0.0.1:${rpcPort} | ${new URL(enode).host} |`,
    ),
    "",
    "## Each node needs only its own folder",
    "",
    "| File | Content |",
    "| --- | --- |",
    "| `key` | the private key of the node. Never give it to another node, and keep a copy in a safe place |",
    "| `genesis.json` | the same for all nodes, like the one beside this page |",
    "| `static-nodes.json` | the enode URLs of the other nodes |",
    "| `plinth.toml` | its configuration |",
    "",
    ...describeStart(network, settings, folder),
    "",
    "Nodes that join later need `genesis.json` and the enode URLs of `static-nodes.json`. `plinth genesis check genesis.json` explains the file.",
    "",
  ].join("\n");
}

/** The command line of a node that joins a network on this machine. */
export function formatJoining({ nodes }: Network, folder: string): string {
  return `plinth --genesis-file=${join(folder, "genesis.json")} --bootnodes=${nodes[0]?.enode} --data-path=DIR --p2p-port=PORT`;
}

function describeStart(
  network: Network,
  { hosts, home }: Pick<NetworkSettings, "hosts" | "home">,
  folder: string,
): readonly string[] {
  const { nodes } = network;
  const homeOf = (name: string) => home ?? join(folder, name);
  if (hosts.length > 0) {
    return [
      "## Copy each folder to its machine, and start it there",
      "",
      "```sh",
      ...nodes.flatMap(({ name }, index) => [
        `scp -r ${name}/. ${hosts[index]}:${homeOf(name)}`,
        `ssh ${hosts[index]} plinth --config-file=${join(homeOf(name), "plinth.toml")}`,
      ]),
      "```",
      "",
      ...describeService(hosts, home),
    ];
  }
  return [
    "## Start them",
    "",
    "```sh",
    `plinth --data-path=${folder} up`,
    "```",
    "",
    "starts all of them on this machine, and",
    "",
    "```sh",
    ...nodes.map(({ name }) => `plinth --config-file=${join(homeOf(name), "plinth.toml")}`),
    "```",
    "",
    "one by one. The paths in `plinth.toml` refer to this folder: change them when you move it.",
    "",
    "```sh",
    formatJoining(network, folder),
    "```",
    "",
    "joins with another node of this machine.",
  ];
}

/** As a systemd service, whose unit lets the node write to its home only. */
function describeService(hosts: readonly string[], home: string | undefined): readonly string[] {
  if (home !== SERVICE.home) {
    return [
      `As a systemd service (docs/operators/plinth.service) a node writes to ${SERVICE.home} only: create the network with \`--home=${SERVICE.home}\`.`,
    ];
  }
  return [
    "As a service, with docs/operators/plinth.service installed as described in docs/operators/running.md, instead of the second line:",
    "",
    "```sh",
    ...hosts.map(
      (host) =>
        `ssh ${host} 'chown -R ${SERVICE.user}: ${home} && install -D -m 644 ${join(home, "plinth.toml")} ${SERVICE.config} && systemctl enable --now plinth'`,
    ),
    "```",
  ];
}

/** Settings of the unit. */
const SERVICE = { home: "/var/lib/plinth", user: "plinth", config: "/etc/plinth/node.toml" };

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
