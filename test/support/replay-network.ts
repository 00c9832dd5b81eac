import { definePlugin, type Plugin } from "@plinth/core";
import type {
  DisconnectReason,
  LinkReceiver,
  NetworkHost,
  NodeId,
  PeerLink,
} from "@plinth/core/network";

/** A message that the node sent. */
export interface SentMessage {
  readonly code: number;
  readonly payload: Uint8Array;
}

/** A peer played by a test: it sends what the test specifies. */
export interface PlayedPeer {
  send(code: number, payload: Uint8Array): void;
  /** Why the node ended the connection; `undefined` while it is open. */
  disconnected(): DisconnectReason | undefined;
}

/** Lets a test play eth/68 peers of a node; start the node with `networkDriver: "played"`. */
export class PlayedNetwork {
  #host: NetworkHost | undefined;

  readonly plugin: Plugin = definePlugin({
    name: "network-played",
    setup: (node) =>
      node.network.driver({
        name: "played",
        open: async (host) => {
          this.#host = host;
          return {
            localNode: undefined,
            maxPeers: 25,
            allowsNames: false,
            start: async () => {},
            stop: async () => {},
            addStaticPeer: () => false,
            removeStaticPeer: () => false,
          };
        },
      }),
  });

  /** Connects a peer; `received` is called with what the node sends to it. */
  connect(id: NodeId, received: (message: SentMessage, peer: PlayedPeer) => void): PlayedPeer {
    const address = { host: "127.0.0.1", port: 30303 };
    const capability = { name: "eth", version: 68 };
    let reason: DisconnectReason | undefined;
    let receiver: LinkReceiver | undefined;
    const early: SentMessage[] = [];
    const peer: PlayedPeer = {
      // In a later turn, like from a socket.
      send: (code, payload) => queueMicrotask(() => void receiver?.received(0, code, payload)),
      disconnected: () => reason,
    };
    const link: PeerLink = {
      id,
      enode: { id, host: address.host, tcpPort: address.port, udpPort: address.port },
      direction: "inbound",
      clientId: "recorded",
      p2pVersion: 5,
      capabilities: [capability],
      protocols: [{ ...capability, length: 17 }],
      localAddress: address,
      remoteAddress: address,
      send(_protocol, code, payload) {
        if (receiver === undefined) early.push({ code, payload });
        else received({ code, payload }, peer);
      },
      bufferedBytes: () => 0,
      drained: async () => {},
      close(given) {
        reason = given;
      },
    };
    const answer = this.#host?.connected(link);
    if (answer === undefined || typeof answer === "string") throw new Error(`refused: ${answer}`);
    receiver = answer;
    for (const message of early) received(message, peer);
    return peer;
  }
}
