import type { Capability } from "./capability.js";
import type { DisconnectReason } from "./disconnect.js";
import type { Enode } from "./enode.js";
import type { NodeId } from "./node-id.js";

/** Who opened a connection: the peer (`inbound`) or this node (`outbound`). */
export type Direction = "inbound" | "outbound";

/** One end of a TCP connection. */
export interface SocketAddress {
  readonly host: string;
  readonly port: number;
}

/** What a connection has carried so far. */
export interface PeerStatistics {
  /** Milliseconds since 1970. */
  readonly connectedAt: number;
  readonly messagesIn: number;
  readonly messagesOut: number;
  /** Payload bytes before compression. */
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** Who is at the other end of a connection. */
export interface PeerIdentity {
  readonly id: NodeId;
  /** Where the peer can be dialled; its host is that of the connection. */
  readonly enode: Enode;
  readonly direction: Direction;
  /** What the peer calls itself; text of a stranger. */
  readonly clientId: string;
  /** The version of the base protocol that it speaks. */
  readonly p2pVersion: number;
  /** Everything the peer announced, shared or not. */
  readonly capabilities: readonly Capability[];
  readonly localAddress: SocketAddress;
  readonly remoteAddress: SocketAddress;
}

/** A connected node. */
export interface Peer extends PeerIdentity {
  /** The protocols that are spoken on this connection. */
  readonly protocols: readonly Capability[];
  /** Aborts when the connection has ended. */
  readonly signal: AbortSignal;
  /** How useful the node has been, over all its connections; 100 at first. */
  reputation(): number;
  statistics(): PeerStatistics;
  /** What the sessions report about the peer, by the names of their protocols. */
  describe(): Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Reports how a request went; a peer that fails too often is disconnected. */
  report(report: PeerReport): void;
  /** Ends the connection; does nothing when it has ended already. */
  disconnect(reason: DisconnectReason): void;
}

/** A connected node as one of its protocols sees it. */
export interface ProtocolPeer extends Peer {
  /** The protocol that `send` sends with. */
  readonly protocol: Capability;
  /**
   * Sends a message; false when the connection has ended.
   *
   * Messages are buffered while the peer reads slowly: senders of much data await `drained` first.
   */
  send(code: number, payload: Uint8Array): boolean;
  /** Bytes that were sent and have not left this node. */
  bufferedBytes(): number;
  /** Resolves when little is buffered, or the connection has ended. */
  drained(): Promise<void>;
}

/** How a request to a peer went. `request` names its kind, such as the message. */
export interface PeerReport {
  readonly outcome: "useful" | "useless" | "timeout";
  readonly request: string;
}
