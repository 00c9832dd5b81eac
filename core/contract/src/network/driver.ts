import type { Clock } from "../kernel/clock.js";
import { type Driver, defineDriverPoint } from "../kernel/drivers.js";
import type { Logger } from "../kernel/logs/log.js";
import type { Capability } from "./capability.js";
import type { DisconnectReason, PeerEnd } from "./disconnect.js";
import type { Enode } from "./enode.js";
import type { ConnectEvent, DiscoverEvent, PeerRefusal } from "./hooks.js";
import type { NodeId } from "./node-id.js";
import type { NodeKey } from "./node-key.js";
import type { PeerIdentity, SocketAddress } from "./peer.js";

/** What a network plugin contributes; one is chosen by `--network-driver`. */
export interface NetworkDriver extends Driver {
  /** Prepares the network while the node opens; nothing is bound or dialled before `start`. */
  open(host: NetworkHost): Promise<NetworkTransport>;
}

/** Where network plugins put their drivers. */
export const networkDrivers = defineDriverPoint<NetworkDriver>("network.driver", {
  option: "network-driver",
  summary: "How the node reaches its peers.",
});

/** A protocol that this node announces, with the number of its message codes. */
export interface OfferedProtocol extends Capability {
  readonly length: number;
}

/** What a driver works with, and what it reports to. */
export interface NetworkHost {
  readonly networkId: bigint;
  /** The genesis file as it stands. */
  readonly genesis: object;
  /** None when no key driver is loaded. */
  readonly nodeKey: NodeKey | undefined;
  readonly clientVersion: string;
  readonly dataPath: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly protocols: readonly OfferedProtocol[];
  /** Asks plugins about a node before it enters the discovery table, is pinged or answered. */
  discover(event: DiscoverEvent): Promise<PeerRefusal | undefined>;
  /** Asks plugins about a connection: before dialling, and after Hello of a peer that dialled. */
  connect(event: ConnectEvent): Promise<PeerRefusal | undefined>;
  /** Whether there is a connection with the node. */
  isConnected(id: NodeId): boolean;
  /** How useful a node has been. */
  reputationOf(id: NodeId): number;
  /**
   * Takes over a connection on which protocols were agreed; answers the reason when it is refused.
   *
   * Two nodes have one connection: of two that were dialled at the same time, that of the lower node id stays.
   */
  connected(link: PeerLink): LinkReceiver | DisconnectReason;
}

/** A connection as the driver provides it. */
export interface PeerLink extends PeerIdentity {
  /** What both sides speak, in the order of message ids. */
  readonly protocols: readonly OfferedProtocol[];
  /** Sends a message of the protocol with that index. */
  send(protocol: number, code: number, payload: Uint8Array): void;
  /** Bytes that were sent and have not left this node. */
  bufferedBytes(): number;
  /** Resolves when little is buffered, or the connection has ended. */
  drained(): Promise<void>;
  /** Sends the peer the reason and ends the connection; `why` is for the operator of this node alone. */
  close(reason: DisconnectReason, why?: string): void;
}

/** Where a driver delivers what comes over a link. */
export interface LinkReceiver {
  /** Whether a message of so many bytes is wanted; call it before the message is decompressed. */
  takes(protocol: number, code: number, bytes: number): boolean;
  /** Delivers a message. A promise asks the driver to read nothing more from this peer until it resolves. */
  received(protocol: number, code: number, payload: Uint8Array): Promise<void> | undefined;
  /** Reports that the connection has ended; once is enough, and not after `close`. */
  ended(end: PeerEnd): void;
}

/** Nodes that the operator named in the configuration. */
export interface FixedNodes {
  readonly bootnodes: readonly Enode[];
  readonly staticNodes: readonly Enode[];
}

/** How DNS names in enode URLs are used. */
export interface HostNames {
  /** Whether a name is resolved again at each use; an IP address takes its place otherwise. */
  readonly areKept: boolean;
  /** The IP address of a host, or of an IP address itself; rejects when there is none. */
  resolve(name: string): Promise<string>;
}

/** This node as others reach it. */
export interface LocalNode {
  readonly enode: Enode;
  /** Where connections are accepted; `undefined` when none are. */
  readonly listening: SocketAddress | undefined;
}

/** A network that a driver opened. */
export interface NetworkTransport {
  /** Where this node is reached; `undefined` before `start`. */
  readonly localNode: LocalNode | undefined;
  /** The most peers that it connects with, static ones apart. */
  readonly maxPeers: number;
  /** Whether static peers may be given with a DNS name. */
  readonly allowsNames: boolean;
  /** How names of hosts are found; none are when left out. */
  readonly names?: HostNames;
  /** Nodes that the operator named in the configuration; none when left out. */
  readonly fixedNodes?: FixedNodes;
  /** Binds listeners and begins to dial. */
  start(): Promise<void>;
  /** Closes connections and listeners. */
  stop(): Promise<void>;
  /** Keeps a connection with a node; false when it does so already, or the node is this one. */
  addStaticPeer(enode: Enode): boolean;
  /** Ends what `addStaticPeer` began, and the connection; false when the node was not static. */
  removeStaticPeer(enode: Enode): boolean;
}
