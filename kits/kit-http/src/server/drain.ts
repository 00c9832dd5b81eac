import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** Calls still in progress after this time are cut off, so that the node stops in time. */
const MAX_DRAIN_MS = 20_000;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Closes the connections of a closing server as soon as no call is in progress.
 *
 * Otherwise it would wait for callers that keep their connection alive, have not sent anything yet,
 * or never finish their request.
 */
export class Drain {
  readonly #calls = new Set<ServerResponse>();
  /** Number of calls whose request is complete, and whose response is not being sent yet. */
  #executing = 0;
  #server: Server | undefined;
  #closing = false;

  /** Tracks a call whose request is complete until its response is being sent. */
  during(answer: Promise<void>): void {
    this.#executing += 1;
    answer.then(this.#executed, this.#executed);
  }

  readonly #executed = (): void => {
    this.#executing -= 1;
    if (this.#closing) this.#endWhenDone();
  };

  /** Tracks every call passed to a handler, until its connection or its response ends. */
  watch(handler: Handler): Handler {
    return (request, response) => {
      this.#calls.add(response);
      response.once("close", () => this.#forget(response));
      handler(request, response);
    };
  }

  /** The server whose connections it closes. */
  follow(server: Server): void {
    this.#server = server;
    // A connection accepted between the start of closing and the end of listening.
    server.on("connection", (socket) => {
      if (this.#closing) socket.destroy();
    });
  }

  /** From now on connections end with their calls. */
  begin(): void {
    this.#closing = true;
    // A server that never listened, because its port was taken, emits no `close`.
    if (this.#server?.listening !== true) return;
    const giveUp = setTimeout(() => this.#server?.closeAllConnections(), MAX_DRAIN_MS);
    this.#server.once("close", () => clearTimeout(giveUp));
    this.#endWhenDone();
  }

  #forget(call: ServerResponse): void {
    this.#calls.delete(call);
    if (this.#closing) this.#endWhenDone();
  }

  #endWhenDone(): void {
    const isBusy = this.#executing > 0 || [...this.#calls].some(({ req }) => req.complete);
    if (!isBusy) this.#server?.closeAllConnections();
  }
}
