import type { ServerResponse } from "node:http";
import type { Endpoint, RpcClient } from "@plinth/core";

/** The caller behind one HTTP request. */
export class HttpClient implements RpcClient {
  readonly endpoint: Endpoint;
  readonly #response: ServerResponse;
  #closed: AbortController | undefined;

  constructor(endpoint: Endpoint, response: ServerResponse) {
    this.endpoint = endpoint;
    this.#response = response;
  }

  /** Many calls may come over one socket. */
  get connection(): object {
    return this.#response.socket ?? this;
  }

  /** Made when it is first asked for: most calls end before anybody could. */
  get closed(): AbortSignal {
    if (this.#closed === undefined) {
      const controller = new AbortController();
      const response = this.#response;
      if (response.closed) controller.abort();
      // The response and not its socket, which may serve thousands of calls.
      else response.once("close", () => controller.abort());
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
