import type { HookFactory } from "../kernel/hooks.js";
import type { Capability } from "./capability.js";
import { DISCONNECT_REASONS, type DisconnectReason, type PeerEnd } from "./disconnect.js";
import type { Enode } from "./enode.js";
import type { Direction, Peer } from "./peer.js";
import type { SyncProgress } from "./sync-status.js";

/** Why a node, a connection or a message is rejected. */
export interface PeerRefusal {
  readonly message: string;
  /** The reason sent to the peer; none by default. */
  readonly reason?: DisconnectReason;
}

/** A discovered node, before anything is exchanged with it. */
export interface DiscoverEvent {
  readonly node: Enode;
  /** Whether it contacted this node (`inbound`) or is contacted by it (`outbound`). */
  readonly direction: Direction;
}

/** A connection about to be opened, or being rechecked. */
export interface ConnectEvent {
  readonly peer: { readonly id: Enode["id"]; readonly enode: Enode };
  readonly direction: Direction;
}

/** A message about to be handled. */
export interface PeerMessageEvent {
  readonly peer: Peer;
  readonly protocol: Capability;
  readonly code: number;
}

/** A connection that has ended. */
export interface DisconnectedEvent extends PeerEnd {
  readonly peer: Peer;
}

const REFUSAL = { isRight: isRefusal, text: "an object with a message" };

/** Hooks of the network. */
export function createNetworkHooks(hook: HookFactory) {
  return {
    discover: hook.decide<DiscoverEvent, PeerRefusal>(
      "network.discover",
      {
        since: "0.1.0",
        summary:
          "A node is about to enter the discovery table, to be pinged or to get a reply: return why it is rejected.",
      },
      REFUSAL,
    ),
    connect: hook.decide<ConnectEvent, PeerRefusal>(
      "network.connect",
      {
        since: "0.1.0",
        summary:
          "A peer is about to be dialed or accepted, or `runtime.network.recheck()` was called: return why the connection is rejected.",
      },
      REFUSAL,
    ),
    message: hook.decide<PeerMessageEvent, PeerRefusal>(
      "network.message",
      {
        since: "0.1.0",
        summary:
          "A message of a peer is about to be handled: return why the peer is disconnected instead.",
      },
      REFUSAL,
    ),
    connected: hook.notify<{ readonly peer: Peer }>("network.connected", {
      since: "0.1.0",
      summary: "A peer is connected, protocols are agreed and their sessions are open.",
    }),
    disconnected: hook.notify<DisconnectedEvent>("network.disconnected", {
      since: "0.1.0",
      summary: "The connection with a peer has ended; its sessions have been notified.",
    }),
  };
}

/** Hooks of synchronization. */
export function createSyncHooks(hook: HookFactory) {
  return {
    progress: hook.notify<SyncProgress>("sync.progress", {
      since: "0.1.0",
      summary: "The node caught up, fell behind or came closer to the best block of its peers.",
    }),
  };
}

function isRefusal(answer: unknown): boolean {
  const { message, reason } = Object(answer);
  return (
    typeof message === "string" && (reason === undefined || DISCONNECT_REASONS.includes(reason))
  );
}

/** Hooks of the network, as held by their owner. */
export type NetworkHooks = ReturnType<typeof createNetworkHooks>;

/** Hooks of synchronization, as held by their owner. */
export type SyncHooks = ReturnType<typeof createSyncHooks>;
