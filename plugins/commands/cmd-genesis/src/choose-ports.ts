import { ConfigError } from "@plinth/core";
import type { NetworkNode } from "./network.js";
import { findFreePorts } from "./ports.js";

/** The ports of a node. */
export interface NodePorts {
  readonly rpcPort: number;
  readonly p2pPort: number;
  readonly wsPort: number;
  readonly graphqlPort: number;
  readonly metricsPort: number;
}

/**
 * Offsets of the ports of managers from the RPC port: for other managers, and for external nodes.
 */
export const MANAGER_DISTANCES = { peerPort: 2000, nodePort: 3000 } as const;

/**
 * Offset of each port from the RPC port if nodes share a machine: avoids the defaults of other
 * listeners.
 */
const SHARED = {
  rpcPort: 0,
  p2pPort: 1000,
  wsPort: 4000,
  graphqlPort: 5000,
  metricsPort: 6000,
} as const;
const KINDS = Object.keys(SHARED).length;

/** On a separate machine a node has the default ports, with 8545 for RPC. */
const APART = { rpcPort: 0, wsPort: 1, graphqlPort: 2, metricsPort: 1000 } as const;
const USUAL_P2P_PORT = 30_303;

/** Keeps the highest ports of 100 nodes below 65,536. */
export const MAX_BASE_PORT = 59_000;

/** The base from which the ports of a network were derived; 0 if free ones were chosen. */
export function findBasePort([first]: readonly Pick<NetworkNode, "rpcPort" | "p2pPort">[]): number {
  if (first === undefined || first.rpcPort > MAX_BASE_PORT) return 0;
  return first.p2pPort === first.rpcPort + SHARED.p2pPort ? first.rpcPort : 0;
}

/** The ports of a node that joins others on one machine. */
export async function chooseNextPorts(basePort: number, index: number): Promise<NodePorts> {
  return basePort === 0 ? assign(await findFreePorts(KINDS)) : add(SHARED, basePort + index);
}

/** Nodes of one machine have consecutive ports; those of several machines have the same. */
export async function choosePorts({
  basePort,
  hosts,
  nodes,
}: {
  readonly basePort: number;
  readonly hosts: readonly string[];
  readonly nodes: number;
}): Promise<readonly NodePorts[]> {
  const free = basePort === 0 ? await findFreePorts(KINDS * nodes) : [];
  const isApart = hosts.length > 0 && new Set(hosts).size === hosts.length;
  if (isApart && basePort !== 0) verifyApart(basePort);
  return Array.from({ length: nodes }, (_, index) => {
    if (basePort === 0) return assign(free.slice(KINDS * index));
    if (isApart) return { ...add(APART, basePort), p2pPort: USUAL_P2P_PORT };
    return add(SHARED, basePort + index);
  });
}

function verifyApart(basePort: number): void {
  if (!Object.values(add(APART, basePort)).includes(USUAL_P2P_PORT)) return;
  throw new ConfigError("OPTION_INVALID", {
    message: `Invalid value for option '--base-port': ${basePort} gives another listener port ${USUAL_P2P_PORT}, which is the peer port; expected one such as 8545`,
    option: "base-port",
  });
}

function assign(free: readonly number[]): NodePorts {
  const [rpcPort = 0, p2pPort = 0, wsPort = 0, graphqlPort = 0, metricsPort = 0] = free;
  return { rpcPort, p2pPort, wsPort, graphqlPort, metricsPort };
}

function add<Kind extends string>(
  distances: Readonly<Record<Kind, number>>,
  base: number,
): Record<Kind, number> {
  const entries = Object.entries<number>(distances).map(([kind, far]) => [kind, base + far]);
  return Object.fromEntries(entries);
}
