import type { NetworkNode } from "@plinth/plugin-cmd-genesis/api";

/** The ports of nodes, with the purpose of each. */
export function namePorts(nodes: readonly NetworkNode[]): ReadonlyMap<number, string> {
  return new Map(
    nodes.flatMap(({ name, rpcPort, p2pPort, wsPort, metricsPort, manager }) => [
      [rpcPort, `RPC of ${name}`] as const,
      [p2pPort, `peers of ${name}`] as const,
      ...(wsPort === undefined ? [] : [[wsPort, `WebSocket of ${name}`] as const]),
      ...(metricsPort === undefined ? [] : [[metricsPort, `metrics of ${name}`] as const]),
      ...(manager === undefined
        ? []
        : ([
            [manager.peerPort, `other managers of ${name}`],
            [manager.nodePort, `the manager of ${name}`],
          ] as const)),
    ]),
  );
}
