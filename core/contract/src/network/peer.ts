import type { Capability } from "./capability.js";
import type { DisconnectReason } from "./disconnect.js";
import type { Enode } from "./enode.js";
import type { NodeId } from "./node-id.js";

/** Which side opened a connection: the peer (`inbound`) or this node (`outbound`). */
export type Direction = "inbound" | "outbound";

/** One end of a TCP connection. */
export interface SocketAddress {
  readonly host: string;
  readonly port: number;
}

/** Traffic statistics of a connection. */
export interface PeerStatistics {
  /** Milliseconds since 1970. */
  readonly connectedAt: number;
  readonly messagesIn: number;
  readonly messagesOut: number;
  /** Payload bytes before compression. */
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** The identity of the remote end of a connection. */
export interface PeerIdentity {
  readonly id: NodeId;
  /** Where the peer can be dialed; its host is that of the connection. */
  readonly enode: Enode;
  readonly direction: Direction;
  /** The client name of the peer; untrusted text. */
  readonly clientId: string;
  /** Its version of the base protocol. */
  readonly p2pVersion: number;
  /** All capabilities the peer announced, shared or not. */
  readonly capabilities: readonly Capability[];
  readonly localAddress: SocketAddress;
  readonly remoteAddress: SocketAddress;
}

/** A connected peer. */
export interface Peer extends PeerIdentity {
  /** The protocols used on this connection. */
  readonly protocols: readonly Capability[];
  /** Aborts when the connection has ended. */
  readonly signal: AbortSignal;
  /** The reputation of the node, over all its connections; initially 100. */
  reputation(): number;
  statistics(): PeerStatistics;
  /** The status of the peer by protocol name, as its sessions report it. */
  describe(): Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Reports the outcome of a request; a peer that fails too often is disconnected. */
  report(report: PeerReport): void;
  /** Closes the connection; does nothing if it is already closed. */
  disconnect(reason: DisconnectReason): void;
}

/** A connected peer as one of its protocols sees it. */
export interface ProtocolPeer extends Peer {
  /** The protocol that `send` uses. */
  readonly protocol: Capability;
  /**
   * Sends a message; false if the connection has ended.
   *
   * Messages are buffered while the peer reads slowly: senders of much data await `drained` first.
   */
  send(code: number, payload: Uint8Array): boolean;
  /** Bytes queued and not yet sent. */
  bufferedBytes(): number;
  /** Resolves when little is buffered, or the connection has ended. */
  drained(): Promise<void>;
}

/** The outcome of a request to a peer. `request` names its kind, such as the message. */
export interface PeerReport {
  readonly outcome: "useful" | "useless" | "timeout";
  readonly request: string;
}
