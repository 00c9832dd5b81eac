import type { PluginMetrics } from "@plinth/core";
import type { Direction, PeerEnd } from "@plinth/core/network";

/** Counts connections and messages, under the names that dashboards for Besu expect. */
export interface Devp2pMetrics {
  connected(): void;
  disconnected(end: PeerEnd): void;
  message(direction: Direction, protocol: string, code: number): void;
  packet(direction: Direction, name: string): void;
}

/** Declares the metrics. */
export function createMetrics(metrics: PluginMetrics): Devp2pMetrics {
  const peers = metrics.area("peers");
  const network = metrics.area("network");
  const connected = peers.counter({ name: "connected", help: "Peers that connected." });
  const disconnected = peers.counter({
    name: "disconnected",
    help: "Peers that disconnected, by initiator and reason.",
    labels: ["initiator", "reason"],
  });
  // Exported before the first peer connects, and on nodes that cannot have any.
  connected.increment(0);
  const counter = (name: string, help: string, labels: readonly string[]) =>
    network.counter({ name, help, labels });
  const messages = {
    inbound: counter("p2p_messages_inbound", "Messages received from peers.", ["protocol", "code"]),
    outbound: counter("p2p_messages_outbound", "Messages sent to peers.", ["protocol", "code"]),
  };
  const packets = {
    inbound: counter("discovery_messages_inbound", "Discovery packets received.", ["name"]),
    outbound: counter("discovery_messages_outbound", "Discovery packets sent.", ["name"]),
  };
  return {
    connected: () => connected.increment(),
    disconnected: ({ reason, byPeer }) =>
      disconnected.increment(1, { initiator: byPeer ? "remote" : "local", reason }),
    message: (direction, protocol, code) =>
      messages[direction].increment(1, { protocol, code: `0x${code.toString(16)}` }),
    packet: (direction, name) => packets[direction].increment(1, { name }),
  };
}
