import { join } from "node:path";
import type { Hex } from "@plinth/core";
import type { GenesisTemplate } from "@plinth/core/consensus";
import type { NewFile } from "@plinth/core/kernel";
import type { Network, NetworkManager, NetworkNode } from "./network.js";

/** The log of a node on this machine, in its folder. */
export const LOG_FILE = "node.log";

/** Inputs for the files of a node. */
export interface NodeFilesSettings {
  readonly network: Network;
  readonly node: NetworkNode;
  readonly privateKey: Hex;
  /** The key of its manager, in base64. */
  readonly managerKey?: string;
  readonly genesis: string;
  readonly template: GenesisTemplate;
  /** The folder in which the files will be used. */
  readonly home: string;
  /** Whether all nodes run on this machine. */
  readonly isLocal: boolean;
  /** Snapshots of the chain that it joins by; none by default. */
  readonly snapshots?: readonly string[];
}

/** All files that a node needs, in a separate folder. */
export function nodeFiles(settings: NodeFilesSettings): readonly NewFile[] {
  const { network, node, privateKey, genesis } = settings;
  const others = network.nodes.filter(({ name }) => name !== node.name).map(({ enode }) => enode);
  return [
    { path: "key", content: privateKey, isSecret: true },
    { path: "genesis.json", content: genesis },
    { path: "static-nodes.json", content: `${JSON.stringify(others, undefined, 2)}\n` },
    { path: "plinth.toml", content: formatConfig(settings) },
    ...managerFiles(settings),
  ];
}

/** The files of the private transaction manager embedded in a node. */
function managerFiles({ network, node, managerKey }: NodeFilesSettings): readonly NewFile[] {
  const { manager } = node;
  if (manager === undefined || managerKey === undefined) return [];
  const urls = network.nodes.flatMap((each) =>
    each.manager === undefined ? [] : [managerUrl(each.manager)],
  );
  const own = managerUrl(manager);
  const values = {
    url: own,
    "peer-port": manager.peerPort,
    "node-port": manager.nodePort,
    "key-files": ["manager.key"],
    peers: urls.filter((url) => url !== own),
  };
  const lines = Object.entries(values).map(([name, value]) => `${name} = ${formatToml(value)}`);
  const key = JSON.stringify({ data: { bytes: managerKey }, type: "unlocked" });
  return [
    { path: "manager.key", content: key, isSecret: true },
    { path: "manager.pub", content: manager.publicKey },
    { path: "enclave.toml", content: `${lines.join("\n")}\n` },
  ];
}

function managerUrl({ peerPort }: NetworkManager): string {
  return `http://127.0.0.1:${peerPort}/`;
}

/** Pages of this machine, on any port. */
const LOCAL_PAGES = ["https?://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:\\d+)?"];

function formatConfig(settings: NodeFilesSettings): string {
  const { network, node, template, home, isLocal, snapshots = [] } = settings;
  // One page shows the whole network.
  const hasExplorer = isLocal && node.name === network.nodes[0]?.name;
  const apis = [
    ...["ETH", "NET", "WEB3", "TXPOOL", "PLINTH", template.namespace.toUpperCase()],
    // What a block explorer needs; tracing takes time, so only where no stranger asks.
    ...(isLocal ? ["TRACE", "OTS", "ERIGON"] : []),
    // For its debugger, and its list of peers.
    ...(hasExplorer ? ["DEBUG", "ADMIN"] : []),
    ...(node.manager === undefined ? [] : ["EEA", "PRIV"]),
  ];
  const { hostname } = new URL(node.enode);
  const values = {
    "data-path": join(home, "data"),
    "genesis-file": join(home, "genesis.json"),
    "node-private-key-file": join(home, "key"),
    "static-nodes-file": join(home, "static-nodes.json"),
    ...(snapshots.length > 0 ? { snapshot: snapshots } : {}),
    "p2p-host": hostname,
    "p2p-interface": isLocal ? "127.0.0.1" : "0.0.0.0",
    "p2p-port": node.p2pPort,
    // Others may use one of them as a bootnode.
    "discovery-enabled": isLocal,
    ...(isLocal ? { bootnodes: [] } : {}),
    "nat-method": "NONE",
    ...(isLocal ? { "logging-file": join(home, LOG_FILE) } : {}),
    ...(isLocal ? { "log-index-enabled": true, "address-index-enabled": true } : {}),
    ...(hasExplorer ? { "explorer-enabled": true } : {}),
    ...(network.isGasFree ? { "min-gas-price": 0 } : {}),
    "rpc-http-enabled": true,
    "rpc-http-host": "127.0.0.1",
    "rpc-http-port": node.rpcPort,
    "rpc-http-api": apis,
    ...(isLocal ? { "rpc-http-cors-origins": LOCAL_PAGES } : {}),
    "rpc-ws-enabled": true,
    "rpc-ws-on-http-port": true,
    ...(node.wsPort === undefined ? {} : { "rpc-ws-port": node.wsPort }),
    "rpc-ws-api": apis,
    ...(isLocal ? { "rpc-ws-origins": LOCAL_PAGES } : {}),
    ...(node.metricsPort === undefined
      ? {}
      : { "metrics-enabled": true, "metrics-port": node.metricsPort }),
    ...(node.manager === undefined
      ? {}
      : {
          "privacy-enabled": true,
          "privacy-public-key-file": join(home, "manager.pub"),
          "privacy-marker-transaction-signing-key-file": join(home, "key"),
          "enclave-config-file": join(home, "enclave.toml"),
        }),
  };
  const lines = Object.entries(values).map(([name, value]) => `${name} = ${formatToml(value)}`);
  const title = `# ${node.name} of a ${template.title} network: plinth --config-file=${join(home, "plinth.toml")}`;
  return `${[title, ...lines, ...describeGraphql(node)].join("\n")}\n`;
}

/** GraphQL is off; its default port may be used by another node. */
function describeGraphql({ graphqlPort }: NetworkNode): readonly string[] {
  if (graphqlPort === undefined) return [];
  return [
    "# GraphQL is off; uncomment these lines to enable it:",
    "# graphql-http-enabled = true",
    `# graphql-http-port = ${graphqlPort}`,
  ];
}

/** JSON's notation of text, numbers and lists is also TOML's. */
function formatToml(value: string | number | boolean | readonly string[]): string {
  if (typeof value === "object") return `[${value.map((each) => JSON.stringify(each)).join(", ")}]`;
  return JSON.stringify(value);
}
