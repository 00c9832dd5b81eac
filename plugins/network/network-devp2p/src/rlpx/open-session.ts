import type { Socket } from "node:net";
import { type Clock, type Logger, PeerError, RlpError } from "@plinth/core";
import type { Direction, Enode, NodeKey, OfferedProtocol } from "@plinth/core/network";
import {
  BASE_CODES,
  decodeDisconnect,
  decodeHello,
  encodeHello,
  type Hello,
  MAX_BASE_BYTES,
  P2P_VERSION,
} from "./base-protocol.js";
import { createHandshakeSeed, initiate, respond } from "./handshake.js";
import { MAX_FRAME_BYTES } from "./message-codec.js";
import { Multiplexer } from "./multiplexer.js";
import { RemoteDisconnect } from "./remote-disconnect.js";
import { Session } from "./session.js";
import { SocketBytes } from "./socket-bytes.js";
import { Wire } from "./wire.js";

/** Time limit for the handshake and Hello. */
const OPEN_MS = 10_000;
/** First version of the base protocol with this handshake. */
const MIN_P2P_VERSION = 4;

/** Dependencies and settings of a session. */
export interface OpenSettings {
  readonly socket: Socket;
  readonly nodeKey: NodeKey;
  /** The dialed node; `undefined` if the peer dialed. */
  readonly dialled?: Enode;
  readonly clientId: string;
  readonly protocols: readonly OfferedProtocol[];
  /** The advertised port of this node; 0 if it does not listen. */
  readonly listenPort: number;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Opens a session over a socket: handshake, Hello, protocol negotiation. Rejects with `PeerError`.
 */
export async function openSession(settings: OpenSettings): Promise<Session> {
  const { socket, clock } = settings;
  socket.setNoDelay(true);
  // Without a listener, an error of the socket would crash the process.
  socket.on("error", () => socket.destroy());
  let isLate = false;
  const cancel = clock.after(OPEN_MS, () => {
    isLate = true;
    socket.destroy();
  });
  try {
    return await open(settings);
  } catch (error) {
    if (!isLate) throw error;
    throw new PeerError("timeout", `no handshake and Hello within ${OPEN_MS / 1000} s`, error);
  } finally {
    cancel();
  }
}

async function open(settings: OpenSettings): Promise<Session> {
  const { socket, nodeKey, dialled, clock, log } = settings;
  const bytes = new SocketBytes(socket);
  const { secrets, remotePublicKey } = await shakeHands(settings, bytes);
  const wire = new Wire({ socket, bytes, secrets, clock });
  try {
    if (Buffer.compare(remotePublicKey, nodeKey.publicKey) === 0) {
      throw new PeerError("same-identity", "the peer has the key of this node");
    }
    wire.send(BASE_CODES.hello, encodeHello(helloOf(settings)));
    const hello = await receiveHello(wire);
    // From here on both sides compress, including a Disconnect.
    wire.isCompressed = hello.version >= P2P_VERSION;
    wire.maxFrameBytes = MAX_FRAME_BYTES;
    verifyHello(hello, remotePublicKey);
    const multiplexer = new Multiplexer(settings.protocols, hello.capabilities);
    if (multiplexer.protocols.length === 0) {
      throw new PeerError("useless-peer", "no protocol in common");
    }
    const direction: Direction = dialled === undefined ? "inbound" : "outbound";
    return new Session({ wire, socket, hello, multiplexer, direction, dialled, clock, log });
  } catch (error) {
    if (error instanceof RemoteDisconnect) wire.destroy();
    else wire.close(error instanceof PeerError ? error.reason : "subprotocol-error");
    throw error;
  }
}

async function shakeHands(settings: OpenSettings, bytes: SocketBytes) {
  const { socket, nodeKey, dialled } = settings;
  const shared = {
    nodeKey,
    seed: createHandshakeSeed(),
    read: (length: number) => bytes.read(length),
    write: (packet: Uint8Array) => void socket.write(packet),
  };
  try {
    if (dialled === undefined) return await respond(shared);
    const remotePublicKey = Buffer.from(dialled.id.slice(2), "hex");
    return { secrets: await initiate({ ...shared, remotePublicKey }), remotePublicKey };
  } catch (error) {
    // There are no keys yet to send anything with.
    socket.destroy();
    throw error;
  }
}

function helloOf({ clientId, protocols, listenPort, nodeKey }: OpenSettings): Hello {
  const capabilities = protocols.map(({ name, version }) => ({ name, version }));
  return { version: P2P_VERSION, clientId, capabilities, listenPort, id: nodeKey.publicKey };
}

/**
 * The first message of the peer, which is its Hello or a Disconnect; later messages are held back.
 */
function receiveHello(wire: Wire): Promise<Hello> {
  return new Promise((resolve, reject) => {
    wire.receive(({ id, data }) => {
      try {
        if (id === BASE_CODES.disconnect) throw new RemoteDisconnect(decodeDisconnect(data));
        if (id !== BASE_CODES.hello) {
          throw new PeerError("breach-of-protocol", `message ${id} came before Hello`);
        }
        if (data.length > MAX_BASE_BYTES)
          throw new PeerError("breach-of-protocol", "Hello is too long");
        resolve(decodeHello(data));
      } catch (error) {
        reject(
          error instanceof RlpError
            ? new PeerError("breach-of-protocol", error.message, error)
            : error,
        );
      }
      // Nothing more is delivered to this handler: the session takes over.
      return wire.hold();
    }, reject);
  });
}

function verifyHello({ version, id }: Hello, publicKey: Uint8Array): void {
  if (version < MIN_P2P_VERSION) {
    throw new PeerError(
      "incompatible-version",
      `the peer uses version ${version} of the base protocol, expected ${MIN_P2P_VERSION} or later`,
    );
  }
  if (id.every((byte) => byte === 0))
    throw new PeerError("null-identity", "Hello has an id of zeros");
  if (Buffer.compare(id, publicKey) !== 0) {
    throw new PeerError("unexpected-identity", "Hello has another id than the handshake");
  }
}
