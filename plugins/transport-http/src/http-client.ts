import type { IncomingMessage } from "node:http";
import type { Endpoint, RpcClient } from "@plinth/core";

/** The caller behind one HTTP request. */
export class HttpClient implements RpcClient {
  readonly endpoint: Endpoint;
  readonly #request: IncomingMessage;
  #closed: AbortController | undefined;

  constructor(endpoint: Endpoint, request: IncomingMessage) {
    this.endpoint = endpoint;
    this.#request = request;
  }

  /** Made when it is first asked for: most calls end before anybody could. */
  get closed(): AbortSignal {
    if (this.#closed === undefined) {
      const controller = new AbortController();
      const { socket } = this.#request;
      if (socket.destroyed) controller.abort();
      else socket.once("close", () => controller.abort());
      this.#closed = controller;
    }
    return this.#closed.signal;
  }

  /** Ends the call, as when its time is up. */
  close(): void {
    this.#closed ??= new AbortController();
    this.#closed.abort();
  }
}
