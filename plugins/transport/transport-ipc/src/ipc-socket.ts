import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import type { MessageSocket } from "@plinth/kit-http";
import { JsonValues, ValueTooLong } from "./json-values.js";

/** Same limit as for a request over HTTP. */
const MAX_MESSAGE = 5_242_880;

/**
 * A socket connection as a message connection: one JSON value each, responses end with a line
 * break.
 */
export class IpcSocket extends EventEmitter implements MessageSocket {
  readonly #socket: Socket;
  readonly #values = new JsonValues(MAX_MESSAGE);

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
    socket.setEncoding("utf8");
    socket.on("data", (text: string) => this.#receive(text));
    socket.on("error", (error) => this.emit("error", error));
    socket.on("close", () => this.emit("close"));
  }

  get bufferedAmount(): number {
    return this.#socket.writableLength;
  }

  send(
    data: string | Uint8Array,
    { fin }: { readonly fin: boolean },
    done: (error?: Error | null) => void,
  ): void {
    if (!fin) {
      this.#socket.write(data, done);
      return;
    }
    this.#socket.cork();
    this.#socket.write(data);
    this.#socket.write("\n", done);
    this.#socket.uncork();
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#socket.end();
  }

  terminate(): void {
    this.#socket.destroy();
  }

  #receive(text: string): void {
    try {
      for (const value of this.#values.push(text)) this.emit("message", value);
    } catch (error) {
      if (!(error instanceof ValueTooLong)) throw error;
      this.emit("error", new Error(`a message has more than ${MAX_MESSAGE} characters`));
      this.terminate();
    }
  }
}
