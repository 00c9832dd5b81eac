import type { Socket } from "node:net";
import { PeerError } from "@plinth/core";
import { ByteQueue } from "./byte-queue.js";

/** Reading from a socket pauses above this buffer size. */
const MAX_WAITING = 64 * 1024;

/** The bytes of a socket: read by count during the handshake, by the session afterwards. */
export class SocketBytes {
  readonly queue = new ByteQueue();
  readonly #socket: Socket;
  #wanted:
    | { readonly length: number; resolve(bytes: Uint8Array): void; reject(error: unknown): void }
    | undefined;
  #follower: (() => void) | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => this.#arrived(chunk));
    socket.on("close", () => this.#wanted?.reject(closedEarly()));
  }

  /** Exactly that many bytes; rejects if the connection ends before. One read at a time. */
  read(length: number): Promise<Uint8Array> {
    const taken = this.queue.take(length);
    if (taken !== undefined) return Promise.resolve(taken);
    if (this.#socket.destroyed) return Promise.reject(closedEarly());
    this.#socket.resume();
    return new Promise((resolve, reject) => {
      this.#wanted = { length, resolve, reject };
    });
  }

  /** Registers a callback for arriving bytes. */
  follow(follower: () => void): void {
    this.#follower = follower;
    this.#socket.resume();
    follower();
  }

  #arrived(chunk: Buffer): void {
    this.queue.push(chunk);
    if (this.#follower !== undefined) {
      this.#follower();
      return;
    }
    const taken = this.#wanted && this.queue.take(this.#wanted.length);
    if (taken === undefined) {
      if (this.queue.length > MAX_WAITING) this.#socket.pause();
      return;
    }
    const { resolve } = this.#wanted ?? {};
    this.#wanted = undefined;
    resolve?.(taken);
  }
}

function closedEarly(): PeerError {
  return new PeerError("tcp-error", "the connection was closed before it was open");
}
