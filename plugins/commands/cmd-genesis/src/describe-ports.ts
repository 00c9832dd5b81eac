import type { NetworkNode } from "./network.js";

/** The ports of the nodes of a network, one line per kind. */
export function describePorts(nodes: readonly NetworkNode[]): readonly string[] {
  const kinds: readonly (readonly [string, readonly (number | undefined)[]])[] = [
    ["RPC", nodes.map(({ rpcPort }) => rpcPort)],
    ["WebSocket", nodes.map(({ wsPort }) => wsPort)],
    ["peers", nodes.map(({ p2pPort }) => p2pPort)],
    ["metrics", nodes.map(({ metricsPort }) => metricsPort)],
    ["GraphQL (off)", nodes.map(({ graphqlPort }) => graphqlPort)],
    ["other managers", nodes.map(({ manager }) => manager?.peerPort)],
    ["nodes of managers", nodes.map(({ manager }) => manager?.nodePort)],
  ];
  return kinds.flatMap(([kind, ports]) => {
    const known = ports.filter((port) => port !== undefined);
    return known.length === 0 ? [] : [`  ${kind.padEnd(WIDTH)}${joinPorts(known)}`];
  });
}

const WIDTH = 19;

/** `8545 to 8548` if they are consecutive, a single one if all nodes have the same. */
function joinPorts(ports: readonly number[]): string {
  const [first = 0] = ports;
  const last = ports.at(-1) ?? first;
  if (ports.every((port) => port === first)) return String(first);
  const isRange = ports.every((port, index) => port === first + index);
  return isRange ? `${first} to ${last}` : ports.join(", ");
}
