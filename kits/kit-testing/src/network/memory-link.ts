import type { Clock } from "@plinth/core";
import { Signal } from "@plinth/core/async";
import type {
  Direction,
  DisconnectReason,
  Enode,
  LinkReceiver,
  NetworkHost,
  OfferedProtocol,
  PeerEnd,
  PeerLink,
} from "@plinth/core/network";

/** The conditions for messages between two nodes. */
export interface LinkConditions {
  readonly clock: Clock;
  /** The delay of the next message. */
  delayMs(): number;
  /** Whether the next message is lost. */
  isLost(): boolean;
  /** Whether the two ends can currently reach each other. */
  isReachable(): boolean;
}

/** One end of a connection, and the identity of the other. */
export interface MemoryEndSettings {
  readonly conditions: LinkConditions;
  readonly direction: Direction;
  readonly protocols: readonly OfferedProtocol[];
  readonly local: Enode;
  readonly remote: Enode;
  readonly remoteHost: Pick<NetworkHost, "clientVersion" | "protocols">;
}

interface Message {
  readonly protocol: number;
  readonly code: number;
  readonly payload: Uint8Array;
}

const LOW_WATER_BYTES = 64 * 1024;

/**
 * One end of a connection in memory: messages arrive in order, after a delay.
 *
 * While the ends cannot reach each other messages wait, as in the buffers of a TCP connection.
 */
export class MemoryLinkEnd implements PeerLink {
  readonly id;
  readonly enode: Enode;
  readonly direction: Direction;
  readonly clientId: string;
  readonly p2pVersion = 5;
  readonly capabilities;
  readonly protocols: readonly OfferedProtocol[];
  readonly localAddress;
  readonly remoteAddress;
  /** The other end; set when both are created. */
  other: MemoryLinkEnd | undefined;
  /** Where arriving messages are delivered. */
  receiver: LinkReceiver | undefined;
  readonly #conditions: LinkConditions;
  readonly #arrived: Message[] = [];
  #isDelivering = false;
  #lastArrival = 0;
  #inFlightBytes = 0;
  #isClosed = false;
  readonly #drained = new Signal();

  constructor({ conditions, direction, protocols, local, remote, remoteHost }: MemoryEndSettings) {
    this.#conditions = conditions;
    this.direction = direction;
    this.protocols = protocols;
    this.id = remote.id;
    this.enode = remote;
    this.clientId = remoteHost.clientVersion;
    this.capabilities = remoteHost.protocols.map(({ name, version }) => ({ name, version }));
    this.localAddress = { host: local.host, port: local.tcpPort };
    this.remoteAddress = { host: remote.host, port: remote.tcpPort };
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  send(protocol: number, code: number, payload: Uint8Array): void {
    if (this.#isClosed || this.#conditions.isLost()) return;
    this.#inFlightBytes += payload.length;
    // A copy, as over a wire: the sender may reuse its array.
    const message = { protocol, code, payload: payload.slice() };
    this.#afterDelay(() => this.other?.arrive(message));
  }

  bufferedBytes(): number {
    return this.#inFlightBytes;
  }

  drained(): Promise<void> {
    if (this.#isClosed || this.#inFlightBytes < LOW_WATER_BYTES) return Promise.resolve();
    return this.#drained.next();
  }

  close(reason: DisconnectReason): void {
    if (this.#isClosed) return;
    this.#shut();
    this.#afterDelay(() => this.other?.end({ reason, byPeer: true }));
  }

  /** Ends this end of the connection, without notifying the other. */
  end(end: PeerEnd): void {
    if (this.#isClosed) return;
    this.#shut();
    this.receiver?.ended(end);
  }

  /** Accepts a message from the other end; it is delivered when both ends reach each other. */
  arrive(message: Message): void {
    if (this.#isClosed) return;
    this.#arrived.push(message);
    this.deliver();
  }

  /** Delivers arrived messages, as fast as the receiver accepts them. */
  deliver(): void {
    if (!this.#isDelivering) void this.#deliverAll();
  }

  async #deliverAll(): Promise<void> {
    this.#isDelivering = true;
    while (!this.#isClosed && this.#conditions.isReachable()) {
      const message = this.#arrived.shift();
      if (message === undefined) break;
      this.other?.left(message.payload.length);
      const { protocol, code, payload } = message;
      if (this.receiver?.takes(protocol, code, payload.length) !== true) continue;
      const busy = this.receiver.received(protocol, code, payload);
      if (busy !== undefined) await busy;
    }
    this.#isDelivering = false;
  }

  /** Counts bytes that the other end has accepted. */
  left(bytes: number): void {
    this.#inFlightBytes -= bytes;
    if (this.#inFlightBytes < LOW_WATER_BYTES) this.#drained.notify();
  }

  /** Later messages never overtake earlier ones, whatever their delays. */
  #afterDelay(arrive: () => void): void {
    const { clock } = this.#conditions;
    const at = Math.max(this.#lastArrival, clock.now() + this.#conditions.delayMs());
    this.#lastArrival = at;
    clock.after(at - clock.now(), arrive);
  }

  #shut(): void {
    this.#isClosed = true;
    this.#arrived.length = 0;
    this.#drained.notify();
  }
}
