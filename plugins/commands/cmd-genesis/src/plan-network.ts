import { generateKeyPairSync } from "node:crypto";
import { type Address, ConfigError, type Hex } from "@plinth/core";
import { formatEnode } from "@plinth/core/network";
import { createKeys } from "@plinth/plugin-cmd-operator/api";
import { chooseNextPorts, choosePorts, MANAGER_DISTANCES, type NodePorts } from "./choose-ports.js";
import type { Network, NetworkManager, NetworkNode } from "./network.js";
import { findFreePorts } from "./ports.js";

/** The operator's settings for a network. */
export interface NetworkSettings {
  readonly engine: string;
  /** Number of initial validators. */
  readonly nodes: number;
  readonly periodSeconds: number;
  readonly chainId: number;
  /** The RPC port of the first node; the others follow. 0 selects free ones. */
  readonly basePort: number;
  /** Host of each node; this machine if empty. */
  readonly hosts: readonly string[];
  /** The folder of a node on its machine; by default where it is written. */
  readonly home?: string | undefined;
  /** Accounts that start with ether. */
  readonly funded: readonly Address[];
  readonly isGasFree: boolean;
  /**
   * Whether every node has an embedded private transaction manager; for networks on this machine.
   */
  readonly isPrivate?: boolean;
}

/** A node with its private key, before anything is written. */
export interface PlannedNode {
  readonly node: NetworkNode;
  readonly privateKey: Hex;
  /** The key of its manager, in base64. */
  readonly managerKey?: string;
}

const LOOPBACK = "127.0.0.1";
const KEY_BYTES = 32;

/** Creates keys and chooses ports for the nodes of a network. */
export async function planNodes(settings: NetworkSettings): Promise<readonly PlannedNode[]> {
  verifyHosts(settings);
  const all = { from: 0, count: settings.nodes };
  const ports = await choosePorts(settings);
  const managers = settings.isPrivate === true ? await planManagers(settings.basePort, all) : [];
  const planned: PlannedNode[] = [];
  for (const [index, each] of ports.entries()) {
    const host = settings.hosts[index] ?? LOOPBACK;
    const node = await planNode(index, each, { host, isValidator: true });
    planned.push(withManager(node, managers[index]));
  }
  return planned;
}

interface PlannedManager extends NetworkManager {
  readonly managerKey: string;
}

function withManager(planned: PlannedNode, secret: PlannedManager | undefined): PlannedNode {
  if (secret === undefined) return planned;
  const { managerKey, ...manager } = secret;
  return { ...planned, node: { ...planned.node, manager }, managerKey };
}

/** Creates keys and chooses ports for the managers embedded in some nodes. */
async function planManagers(
  basePort: number,
  { from, count }: Places,
): Promise<readonly PlannedManager[]> {
  const free = basePort === 0 ? await findFreePorts(2 * count) : [];
  return Array.from({ length: count }, (_, index) => {
    const base = basePort + from + index;
    return {
      ...createManagerKey(),
      peerPort: free[2 * index] ?? base + MANAGER_DISTANCES.peerPort,
      nodePort: free[2 * index + 1] ?? base + MANAGER_DISTANCES.nodePort,
    };
  });
}

/** The last 32 bytes of both encodings are the key itself (RFC 8410). */
function createManagerKey() {
  const { publicKey, privateKey } = generateKeyPairSync("x25519");
  const rawOf = (bytes: Buffer) => bytes.subarray(-KEY_BYTES).toString("base64");
  return {
    publicKey: rawOf(publicKey.export({ type: "spki", format: "der" })),
    managerKey: rawOf(privateKey.export({ type: "pkcs8", format: "der" })),
  };
}

/**
 * Creates the keys and ports of a node that joins a network on this machine; with a manager if the
 * others have one.
 */
export async function planNextNode(
  { nodes }: Pick<Network, "nodes">,
  basePort: number,
): Promise<PlannedNode> {
  const next = { from: nodes.length, count: 1 };
  const ports = await chooseNextPorts(basePort, nodes.length);
  const node = await planNode(nodes.length, ports, { host: LOOPBACK, isValidator: false });
  const isPrivate = nodes.some(({ manager }) => manager !== undefined);
  const [manager] = isPrivate ? await planManagers(basePort, next) : [];
  return withManager(node, manager);
}

/** The nodes of a network to plan, by number. */
interface Places {
  readonly from: number;
  readonly count: number;
}

async function planNode(
  index: number,
  ports: NodePorts,
  { host, isValidator }: { readonly host: string } & Pick<NetworkNode, "isValidator">,
): Promise<PlannedNode> {
  const { address, publicKey, privateKey = "0x" } = await createKeys("secp256k1");
  const { p2pPort } = ports;
  const enode = formatEnode({ id: publicKey, host, tcpPort: p2pPort, udpPort: p2pPort });
  const name = `node${index + 1}`;
  return { node: { name, address, enode, ...ports, isValidator }, privateKey };
}

/** The network description for its folder. */
export function describeNetwork(
  settings: NetworkSettings,
  planned: readonly PlannedNode[],
): Network {
  const { engine, chainId, periodSeconds, isGasFree } = settings;
  return { engine, chainId, periodSeconds, isGasFree, nodes: planned.map(({ node }) => node) };
}

function verifyHosts({ hosts, nodes, home }: NetworkSettings): void {
  if (home !== undefined && hosts.length === 0) {
    throw new ConfigError("OPTION_INVALID", {
      message: "--home needs --hosts: it is the folder of a node on a separate machine",
      option: "home",
    });
  }
  if (hosts.length === 0 || hosts.length === nodes) return;
  throw new ConfigError("OPTION_INVALID", {
    message: `Invalid value for option '--hosts': ${hosts.length} hosts for ${nodes} nodes; expected one for each`,
    option: "hosts",
  });
}
