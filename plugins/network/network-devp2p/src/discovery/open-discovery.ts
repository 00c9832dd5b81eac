import { createSocket, type Socket } from "node:dgram";
import { isIPv6 } from "node:net";
import type { Enode, NetworkHost, NodeId, NodeKey } from "@plinth/core/network";
import { explain } from "../listener.js";
import type { Devp2pMetrics } from "../metrics.js";
import type { ResolveHost } from "../resolve-host.js";
import type { Discovery } from "./discovery.js";
import { createRecord, formatRecord } from "./node-record.js";
import { DiscoveryService } from "./service.js";

/** Dependencies and settings of discovery. */
export interface OpenDiscoverySettings {
  readonly host: NetworkHost;
  readonly nodeKey: NodeKey;
  readonly metrics: Devp2pMetrics;
  /** Address and port to listen on. */
  readonly interface: string;
  readonly port: number;
  /** The advertised endpoint. */
  readonly enode: Enode;
  readonly bootnodes: readonly Enode[];
  readonly retriesBootnodes: boolean;
  readonly resolve: ResolveHost;
  readonly isAllowed: (host: string) => boolean;
  readonly isBanned: (id: NodeId) => boolean;
  readonly found: () => void;
}

/** Binds the UDP port and starts looking for nodes. */
export async function openDiscovery(settings: OpenDiscoverySettings): Promise<Discovery> {
  const { host, nodeKey, metrics, port, enode } = settings;
  const { clock, log } = host;
  log.info(`Starting peer discovery agent on host=${settings.interface}, port=${port}.`);
  const socket = createSocket({
    type: isIPv6(settings.interface) ? "udp6" : "udp4",
    reuseAddr: false,
  });
  await bind(socket, settings.interface, port);
  const endpoint = { ip: enode.host, udp: enode.udpPort, tcp: enode.tcpPort };
  // Increases with every start, without a file.
  const record = await createRecord(nodeKey, { seq: BigInt(clock.now()), endpoint });
  let isOpen = true;
  const service = new DiscoveryService({
    ...settings,
    ownId: enode.id,
    clock,
    log,
    endpoint,
    record,
    discover: (event) => host.discover(event),
    send: (datagram, to) => {
      if (!isOpen) return;
      socket.send(datagram, to.port, to.host, (error) => {
        if (error !== null) log.trace(`a packet to ${to.host} was not sent: ${error.message}`);
      });
    },
    counted: (direction, name) => metrics.packet(direction, name),
  });
  socket.on("message", (datagram, from) => {
    const address = { host: from.address.replace(/^::ffff:/, ""), port: from.port };
    void service.receive(datagram, address);
  });
  socket.on("error", (error) => log.warn(`discovery: ${error.message}`));
  log.info(`P2P peer discovery agent started and listening on /${settings.interface}:${port}`);
  log.debug(`node record ${formatRecord(record)}`);
  service.start();
  return {
    candidates: () => service.candidates(),
    forget: (id) => service.forget(id),
    async stop() {
      isOpen = false;
      await service.stop();
      await new Promise<void>((resolve) => socket.close(() => resolve()));
    },
  };
}

async function bind(socket: Socket, host: string, port: number): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.bind({ address: host, port, exclusive: true }, resolve);
    });
    socket.removeAllListeners("error");
  } catch (error) {
    throw explain(error, host, port);
  }
}
