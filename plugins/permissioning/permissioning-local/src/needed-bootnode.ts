import type { Network } from "@plinth/core";
import type { Enode, NodeId } from "@plinth/core/network";

/** Whether a node is a bootnode, and this one has no other peers: it finds its way by them, whatever rules say. */
export function isNeededBootnode({ id }: Enode, network: Network): boolean {
  const { bootnodes } = network.fixedNodes;
  const isBootnode = (each: NodeId) => bootnodes.some((node) => node.id === each);
  return isBootnode(id) && network.peers().every((peer) => isBootnode(peer.id));
}
