import type { NetworkNode } from "@plinth/plugin-cmd-genesis/api";

/** The ports of nodes, with what each is for. */
export function namePorts(nodes: readonly NetworkNode[]): ReadonlyMap<number, string> {
  return new Map(
    nodes.flatMap(({ name, rpcPort, p2pPort }) => [
      [rpcPort, `RPC of ${name}`],
      [p2pPort, `peers of ${name}`],
    ]),
  );
}
