import { isIPv6 } from "node:net";
import { method, type Runtime, t } from "@plinth/core";
import { formatCapability, formatEnode, type Peer, type SocketAddress } from "@plinth/core/network";
import { verifyAnswerable } from "../p2p-disabled.js";

/** `admin_peers`: the connected peers. */
export const peers = method({
  summary: "Lists the connected peers.",
  result: t.array(t.json),
  example: { params: [], result: [] },
  handle(_, runtime: Runtime) {
    verifyAnswerable(runtime);
    const isBesu = runtime.compatibility.mode === "besu";
    return runtime.network.peers().map((peer) => describePeer(peer, isBesu));
  },
});

function describePeer(peer: Peer, isBesu: boolean) {
  const { enode } = peer;
  const port = isBesu || enode.udpPort === 0 ? enode.tcpPort : enode.udpPort;
  return {
    version: `0x${peer.p2pVersion.toString(16)}`,
    name: peer.clientId,
    caps: peer.capabilities.map(formatCapability),
    network: {
      localAddress: formatAddress(peer.localAddress),
      remoteAddress: formatAddress(peer.remoteAddress),
      inbound: peer.direction === "inbound",
    },
    port: `0x${port.toString(16)}`,
    id: peer.id,
    protocols: isBesu ? onlyEth(peer) : peer.describe(),
    enode: formatEnode(enode),
  };
}

/** What Besu shows of a peer, regardless of other protocols it supports. */
function onlyEth(peer: Peer) {
  const { eth } = peer.describe();
  return eth === undefined ? {} : { eth };
}

function formatAddress({ host, port }: SocketAddress): string {
  return isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`;
}
