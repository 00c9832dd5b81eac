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

/** A network contributed by a plugin; one is selected with `--network-driver`. */
export interface NetworkDriver extends Driver {
  /** Prepares the network while the node opens; nothing is bound or dialed before `start`. */
  open(host: NetworkHost): Promise<NetworkTransport>;
}

/** The contribution point of network drivers. */
export const networkDrivers = defineDriverPoint<NetworkDriver>("network.driver", {
  option: "network-driver",
  summary: "Connects the node to its peers.",
});

/** A protocol this node announces, with its number of message codes. */
export interface OfferedProtocol extends Capability {
  readonly length: number;
}

/** The context of a driver, including the callbacks it reports to. */
export interface NetworkHost {
  readonly networkId: bigint;
  /** The genesis file, unmodified. */
  readonly genesis: object;
  /** `undefined` if no key driver is loaded. */
  readonly nodeKey: NodeKey | undefined;
  readonly clientVersion: string;
  readonly dataPath: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly protocols: readonly OfferedProtocol[];
  /** Asks plugins about a node before it enters the discovery table, is pinged or gets a reply. */
  discover(event: DiscoverEvent): Promise<PeerRefusal | undefined>;
  /** Asks plugins about a connection: before dialing, and after the Hello of an inbound peer. */
  connect(event: ConnectEvent): Promise<PeerRefusal | undefined>;
  /** Whether the node is connected. */
  isConnected(id: NodeId): boolean;
  /** The reputation of a node. */
  reputationOf(id: NodeId): number;
  /**
   * Takes over a connection on which protocols were agreed; returns the reason if it is rejected.
   *
   * Two nodes have one connection: of two dialed at the same time, that of the lower node id stays.
   */
  connected(link: PeerLink): LinkReceiver | DisconnectReason;
}

/** A connection provided by the driver. */
export interface PeerLink extends PeerIdentity {
  /** The shared protocols, in the order of message ids. */
  readonly protocols: readonly OfferedProtocol[];
  /** Sends a message of the protocol with that index. */
  send(protocol: number, code: number, payload: Uint8Array): void;
  /** Bytes queued and not yet sent. */
  bufferedBytes(): number;
  /** Resolves when little is buffered, or the connection has ended. */
  drained(): Promise<void>;
  /**
   * Sends the peer the reason and ends the connection; `why` is only for the operator of this node.
   */
  close(reason: DisconnectReason, why?: string): void;
}

/** Receives what a driver reads from a link. */
export interface LinkReceiver {
  /** Whether a message of this size is wanted; called before the message is decompressed. */
  takes(protocol: number, code: number, bytes: number): boolean;
  /**
   * Delivers a message. A promise asks the driver to read nothing more from this peer until it
   * resolves.
   */
  received(protocol: number, code: number, payload: Uint8Array): Promise<void> | undefined;
  /** Reports that the connection has ended; once is enough, and not after `close`. */
  ended(end: PeerEnd): void;
}

/** Nodes named in the configuration. */
export interface FixedNodes {
  readonly bootnodes: readonly Enode[];
  readonly staticNodes: readonly Enode[];
}

/** How DNS names in enode URLs are used. */
export interface HostNames {
  /** Whether a name is resolved at each use; otherwise it is replaced by its IP address. */
  readonly areKept: boolean;
  /** The IP address of a host, or of an IP address itself; rejects if there is none. */
  resolve(name: string): Promise<string>;
}

/** This node as others reach it. */
export interface LocalNode {
  readonly enode: Enode;
  /** Where connections are accepted; `undefined` if none are. */
  readonly listening: SocketAddress | undefined;
}

/** A network opened by a driver. */
export interface NetworkTransport {
  /** The address of this node; `undefined` before `start`. */
  readonly localNode: LocalNode | undefined;
  /** Maximum number of peers, excluding static ones. */
  readonly maxPeers: number;
  /** Whether static peers may be given with a DNS name. */
  readonly allowsNames: boolean;
  /** How host names are resolved; not at all by default. */
  readonly names?: HostNames;
  /** Nodes named in the configuration; none by default. */
  readonly fixedNodes?: FixedNodes;
  /** Binds listeners and starts dialing. */
  start(): Promise<void>;
  /** Closes connections and listeners. */
  stop(): Promise<void>;
  /** Keeps a connection to a node; false if it already does, or the node is this one. */
  addStaticPeer(enode: Enode): boolean;
  /** Reverts `addStaticPeer` and closes the connection; false if the node was not static. */
  removeStaticPeer(enode: Enode): boolean;
}
