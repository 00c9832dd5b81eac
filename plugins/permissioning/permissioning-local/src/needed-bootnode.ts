import type { Network } from "@plinth/core";
import type { Enode, NodeId } from "@plinth/core/network";

/**
 * Whether a node is a bootnode that is needed because this node has no other peers; rules do not
 * apply to it.
 */
export function isNeededBootnode({ id }: Enode, network: Network): boolean {
  const { bootnodes } = network.fixedNodes;
  const isBootnode = (each: NodeId) => bootnodes.some((node) => node.id === each);
  return isBootnode(id) && network.peers().every((peer) => isBootnode(peer.id));
}
