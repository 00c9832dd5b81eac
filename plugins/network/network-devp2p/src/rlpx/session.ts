import type { Socket } from "node:net";
import {
  type Clock,
  type Logger,
  messageOf,
  PeerError,
  RlpError,
  toHex,
  yieldToLoop,
} from "@plinth/core";
import type {
  Direction,
  DisconnectReason,
  Enode,
  LinkReceiver,
  NodeId,
  PeerEnd,
  PeerLink,
} from "@plinth/core/network";
import {
  BASE_CODES,
  decodeDisconnect,
  encodeEmpty,
  FIRST_CODE,
  type Hello,
  MAX_BASE_BYTES,
} from "./base-protocol.js";
import {
  decodePayload,
  decodePayloadInTurns,
  MAX_MESSAGE_BYTES,
  payloadLength,
  type RawMessage,
} from "./message-codec.js";
import type { Multiplexer, ProtocolCode } from "./multiplexer.js";
import type { Wire } from "./wire.js";

/**
 * A peer that is silent for this long is pinged; if it stays silent for as long again, it is
 * disconnected.
 */
const SILENCE_MS = 15_000;
/** With a larger send backlog, further pings of a peer share one Pong. */
const MAX_BEFORE_PONG = 64 * 1024;

/** Longer messages are decompressed in turns with those of others. */
const MAX_BYTES_AT_ONCE = 64 * 1024;

/** Dependencies of a session, after Hello. */
export interface SessionSettings {
  readonly wire: Wire;
  readonly socket: Socket;
  readonly hello: Hello;
  readonly multiplexer: Multiplexer;
  readonly direction: Direction;
  /** The dialed address; for an inbound peer, with the port that it announces. */
  readonly dialled: Enode | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

/** A connection with negotiated protocols; delivers messages once `run` was called. */
export class Session implements PeerLink {
  readonly id: NodeId;
  readonly enode: Enode;
  readonly direction: Direction;
  readonly clientId: string;
  readonly p2pVersion: number;
  readonly capabilities;
  readonly protocols;
  readonly localAddress;
  readonly remoteAddress;
  /** Resolves when the connection has ended. */
  readonly closed: Promise<void>;
  /** Called once when the session has ended, by either side. */
  onEnded: (end: PeerEnd) => void = () => {};
  /** Called with every message, for metrics. */
  counted: (direction: Direction, protocol: number | undefined, code: number) => void = () => {};
  readonly #wire: Wire;
  readonly #multiplexer: Multiplexer;
  readonly #clock: Clock;
  readonly #log: Logger;
  #receiver: LinkReceiver | undefined;
  #hasEnded = false;
  #hasHeard = true;
  #isPinged = false;
  #hasUnreadPong = false;
  #cancelPing = () => {};
  #resolveClosed = () => {};

  constructor({
    wire,
    socket,
    hello,
    multiplexer,
    direction,
    dialled,
    clock,
    log,
  }: SessionSettings) {
    this.#wire = wire;
    this.#multiplexer = multiplexer;
    this.#clock = clock;
    this.#log = log;
    this.id = toHex(hello.id);
    this.direction = direction;
    this.clientId = hello.clientId;
    this.p2pVersion = hello.version;
    this.capabilities = hello.capabilities;
    this.protocols = multiplexer.protocols;
    const { localAddress = "", localPort = 0, remoteAddress = "", remotePort = 0 } = socket;
    this.localAddress = { host: plainHost(localAddress), port: localPort };
    this.remoteAddress = { host: plainHost(remoteAddress), port: remotePort };
    const tcpPort = hello.listenPort <= 65_535 ? hello.listenPort : 0;
    const { host } = this.remoteAddress;
    this.enode = dialled ?? { id: this.id, host, tcpPort, udpPort: tcpPort };
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
    socket.once("close", () => this.#resolveClosed());
    if (socket.destroyed) this.#resolveClosed();
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Starts to deliver messages. */
  run(receiver: LinkReceiver): void {
    this.#receiver = receiver;
    this.#watchSilence();
    this.#wire.receive(
      (message) => this.#handle(message),
      (error) => this.#failed(error),
    );
  }

  send(protocol: number, code: number, payload: Uint8Array): void {
    if (payload.length > MAX_MESSAGE_BYTES) {
      throw new RangeError(
        `a message of ${payload.length} bytes is too large; at most ${MAX_MESSAGE_BYTES}`,
      );
    }
    this.counted("outbound", protocol, code);
    this.#wire.send(this.#multiplexer.encode({ protocol, code }), payload);
  }

  bufferedBytes(): number {
    return this.#wire.bufferedBytes();
  }

  drained(): Promise<void> {
    return this.#wire.drained();
  }

  close(reason: DisconnectReason, why?: string): void {
    this.#wire.close(reason);
    this.#end({ reason, byPeer: false, why });
  }

  /** Ends a session that was handed over, and reports it there. */
  endLocally(reason: DisconnectReason): void {
    this.close(reason);
    this.#receiver?.ended({ reason, byPeer: false });
  }

  #handle({ id, data }: RawMessage): Promise<void> | undefined {
    this.#hasHeard = true;
    if (id < FIRST_CODE) {
      this.counted("inbound", undefined, id);
      return this.#handleBase(id, data);
    }
    const place = this.#multiplexer.find(id);
    if (place === undefined) {
      throw new PeerError("breach-of-protocol", `no protocol has the message id ${id}`);
    }
    this.counted("inbound", place.protocol, place.code);
    const { isCompressed } = this.#wire;
    const length = payloadLength(data, isCompressed, MAX_MESSAGE_BYTES);
    if (this.#receiver?.takes(place.protocol, place.code, length) !== true) return undefined;
    if (length > MAX_BYTES_AT_ONCE) return this.#deliverInTurns(place, data);
    const payload = decodePayload(data, isCompressed, MAX_MESSAGE_BYTES);
    return this.#receiver.received(place.protocol, place.code, payload);
  }

  /** Long messages of many peers are decompressed one after another; later messages wait. */
  async #deliverInTurns({ protocol, code }: ProtocolCode, data: Uint8Array): Promise<void> {
    await yieldToLoop();
    const payload = await decodePayloadInTurns(data, this.#wire.isCompressed, MAX_MESSAGE_BYTES);
    if (!this.#hasEnded) await this.#receiver?.received(protocol, code, payload);
  }

  #handleBase(id: number, data: Uint8Array): undefined {
    switch (id) {
      case BASE_CODES.hello:
        throw new PeerError("breach-of-protocol", "the peer sent Hello twice");
      case BASE_CODES.disconnect:
        this.#disconnected(data);
        return undefined;
      case BASE_CODES.ping:
        this.#pong();
        return undefined;
      default:
        // Pong needs no handling, and other codes are reserved.
        return undefined;
    }
  }

  /** One Pong is enough for all pings of a peer that does not read: more would fill the memory. */
  #pong(): void {
    if (this.#hasUnreadPong) return;
    this.#wire.send(BASE_CODES.pong, encodeEmpty());
    if (this.#wire.bufferedBytes() < MAX_BEFORE_PONG) return;
    this.#hasUnreadPong = true;
    void this.#wire.drained().then(() => {
      this.#hasUnreadPong = false;
    });
  }

  #disconnected(data: Uint8Array): void {
    this.#wire.destroy();
    const end = { reason: readReason(data, this.#wire.isCompressed), byPeer: true };
    this.#end(end);
    this.#receiver?.ended(end);
  }

  #end(end: PeerEnd): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#cancelPing();
    this.onEnded(end);
  }

  #failed(error: unknown): void {
    const reason = reasonOf(error);
    if (reason === "tcp-error") this.#wire.destroy();
    else this.#wire.close(reason);
    const end = { reason, byPeer: reason === "tcp-error", why: messageOf(error) };
    this.#end(end);
    this.#receiver?.ended(end);
    if (error instanceof PeerError || error instanceof RlpError) {
      this.#log.debug(`disconnecting ${this.id}: ${error.message}`);
    } else this.#log.error(`the session with ${this.id} failed: ${messageOf(error)}`, { error });
  }

  #watchSilence(): void {
    this.#cancelPing = this.#clock.after(SILENCE_MS, () => {
      if (this.#wire.isClosed) return;
      // Nothing is heard from a peer while reading is paused.
      this.#hasHeard ||= this.#wire.isBusy;
      if (!this.#hasHeard && this.#isPinged) {
        this.#failed(new PeerError("timeout", "the peer does not respond to pings"));
        return;
      }
      this.#isPinged = !this.#hasHeard;
      if (this.#isPinged) this.#wire.send(BASE_CODES.ping, encodeEmpty());
      this.#hasHeard = false;
      this.#watchSilence();
    });
  }
}

/** Some nodes never compress their Disconnect: its reason is decoded anyway. */
function readReason(data: Uint8Array, isCompressed: boolean): DisconnectReason {
  for (const attempt of [isCompressed, false]) {
    try {
      return decodeDisconnect(decodePayload(data, attempt, MAX_BASE_BYTES));
    } catch (error) {
      if (!(error instanceof PeerError || error instanceof RlpError)) throw error;
    }
  }
  return "unspecified";
}

function reasonOf(error: unknown): DisconnectReason {
  if (error instanceof PeerError) return error.reason;
  return error instanceof RlpError ? "breach-of-protocol" : "subprotocol-error";
}

/** IPv4-mapped IPv6 addresses are shown as IPv4. */
function plainHost(address: string): string {
  return address.startsWith("::ffff:") ? address.slice(7) : address;
}
