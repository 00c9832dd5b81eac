import type { Socket } from "node:net";
import { type Clock, PeerError, yieldToLoop } from "@plinth/core";
import { Signal } from "@plinth/core/async";
import type { DisconnectReason } from "@plinth/core/network";
import { BASE_CODES, encodeDisconnect, MAX_BASE_BYTES } from "./base-protocol.js";
import { FrameDecoder, FrameEncoder } from "./frame-codec.js";
import { decodeMessage, encodeMessage, type RawMessage } from "./message-codec.js";
import type { Secrets } from "./secrets.js";
import type { SocketBytes } from "./socket-bytes.js";

/** How long a peer has to close a connection that this node has ended. */
const LINGER_MS = 2_000;
/** Time limit for a started frame to be complete. */
const FRAME_MS = 30_000;
/** A peer with a larger send backlog does not read. */
const MAX_UNSENT_BYTES = 64 * 2 ** 20;
const LOW_WATER_BYTES = 64 * 1024;
/**
 * Limits for what is read from one peer before others get their turn: small frames are cheaper to
 * send than to read.
 */
const MAX_FRAMES_PER_TURN = 32;
const MAX_BYTES_PER_TURN = 256 * 1024;

/** Handles a message; a promise holds back later ones. */
export type MessageHandler = (message: RawMessage) => Promise<void> | undefined;

/** Dependencies of a wire. */
export interface WireSettings {
  readonly socket: Socket;
  readonly bytes: SocketBytes;
  readonly secrets: Secrets;
  readonly clock: Clock;
}

/** Messages over an encrypted connection: framed, verified, in order. */
export class Wire {
  /** Maximum frame size; small until both sides have sent Hello. */
  maxFrameBytes = MAX_BASE_BYTES;
  /** Whether messages are compressed; both sides switch after Hello. */
  isCompressed = false;
  readonly #settings: WireSettings;
  readonly #encoder: FrameEncoder;
  readonly #decoder: FrameDecoder;
  #handler: MessageHandler | undefined;
  #failed: (error: unknown) => void = () => {};
  readonly #received = new Signal();
  #isBusy = false;
  #isClosed = false;
  #cancelFrame: (() => void) | undefined;
  readonly #drained = new Signal();

  constructor(settings: WireSettings) {
    this.#settings = settings;
    this.#encoder = new FrameEncoder(settings.secrets);
    this.#decoder = new FrameDecoder(settings.secrets);
    const { socket } = settings;
    socket.on("drain", () => this.#wake());
    socket.on("error", (cause) => this.#fail(new PeerError("tcp-error", cause.message, cause)));
    socket.on("close", () => {
      this.#fail(new PeerError("tcp-error", "the connection was closed"));
      this.#wake();
    });
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether a message is being handled, so that reading is paused. */
  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Starts to deliver messages; `failed` is called once, when the connection is unusable. */
  receive(handler: MessageHandler, failed: (error: unknown) => void): void {
    this.#handler = handler;
    this.#failed = failed;
    if (this.#settings.socket.destroyed) {
      this.#fail(new PeerError("tcp-error", "the connection was closed"));
      return;
    }
    this.#received.notify();
    this.#settings.bytes.follow(() => this.#deliver());
  }

  /** Holds back messages until `receive` is called again. */
  hold(): Promise<void> {
    return this.#received.next();
  }

  /** Sends a message in one write. */
  send(id: number, payload: Uint8Array): void {
    const { socket } = this.#settings;
    if (this.#isClosed || socket.destroyed) return;
    socket.write(this.#encoder.encode(encodeMessage(id, payload, this.isCompressed)));
    if (socket.writableLength > MAX_UNSENT_BYTES) {
      this.#fail(new PeerError("timeout", "the peer does not read its messages"));
    }
  }

  bufferedBytes(): number {
    return this.#settings.socket.writableLength;
  }

  drained(): Promise<void> {
    const { socket } = this.#settings;
    if (this.#isClosed || socket.writableLength < LOW_WATER_BYTES) return Promise.resolve();
    return this.#drained.next();
  }

  /** Sends the peer the reason, and closes the connection once it has had time to read it. */
  close(reason: DisconnectReason): void {
    if (this.#isClosed) return;
    this.send(BASE_CODES.disconnect, encodeDisconnect(reason));
    this.#shut();
    const { socket, clock } = this.#settings;
    socket.end();
    socket.resume();
    const cancel = clock.after(LINGER_MS, () => socket.destroy());
    socket.once("close", cancel);
  }

  /** Closes the connection without a message. */
  destroy(): void {
    this.#shut();
    this.#settings.socket.destroy();
  }

  #shut(): void {
    this.#isClosed = true;
    this.#cancelFrame?.();
    this.#settings.bytes.queue.clear();
    this.#wake();
  }

  #deliver(): void {
    const { socket, bytes } = this.#settings;
    if (this.#isClosed) bytes.queue.clear();
    if (this.#isClosed || this.#isBusy) return;
    try {
      let hasProgressed = false;
      let [frames, size] = [0, 0];
      for (;;) {
        const body = this.#decoder.decode(bytes.queue, this.maxFrameBytes);
        if (body === undefined) break;
        hasProgressed = true;
        frames += 1;
        size += body.length;
        const handled = this.#handler?.(decodeMessage(body));
        if (this.#isClosed) return;
        const isTurnOver = frames >= MAX_FRAMES_PER_TURN || size >= MAX_BYTES_PER_TURN;
        const busy = handled ?? (isTurnOver ? yieldToLoop() : undefined);
        if (busy === undefined) continue;
        this.#isBusy = true;
        socket.pause();
        busy.then(
          () => this.#goOn(),
          (error) => this.#fail(error),
        );
        break;
      }
      this.#watchFrame(hasProgressed);
    } catch (error) {
      this.#fail(error);
    }
  }

  #goOn(): void {
    this.#isBusy = false;
    if (this.#isClosed) return;
    this.#settings.socket.resume();
    this.#deliver();
  }

  /** A frame in transit has a deadline; one that waits for a handler has none. */
  #watchFrame(hasProgressed: boolean): void {
    const { bytes, clock } = this.#settings;
    const isIncomplete = !this.#isBusy && (this.#decoder.isInside || bytes.queue.length > 0);
    if (hasProgressed || !isIncomplete) {
      this.#cancelFrame?.();
      this.#cancelFrame = undefined;
    }
    if (!isIncomplete) return;
    this.#cancelFrame ??= clock.after(FRAME_MS, () => {
      this.#fail(new PeerError("timeout", `a frame took more than ${FRAME_MS / 1000} s`));
    });
  }

  #fail(error: unknown): void {
    if (!this.#isClosed) this.#failed(error);
  }

  #wake(): void {
    if (!this.#isClosed && this.bufferedBytes() >= LOW_WATER_BYTES) return;
    this.#drained.notify();
  }
}
