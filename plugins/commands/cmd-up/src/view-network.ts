import type { GenesisTemplate } from "@plinth/core/consensus";
import type { Network } from "@plinth/plugin-cmd-genesis/api";
import { askNode } from "./ask-node.js";
import type { NodeView } from "./table.js";

/** Every node of a network with its status; only those that run are queried. */
export function viewNetwork(
  { nodes }: Network,
  pids: ReadonlyMap<string, number>,
  template: GenesisTemplate,
): Promise<readonly NodeView[]> {
  return Promise.all(
    nodes.map(async (node) => {
      const pid = pids.get(node.name);
      return { node, pid, answer: pid === undefined ? undefined : await askNode(node, template) };
    }),
  );
}
