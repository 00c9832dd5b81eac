import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { RpcClient } from "@plinth/core";
import type { CallBudget, Endpoint, Identity, ResponseBudget } from "@plinth/core/rpc";
import type { ClientLimits, ResponseGuard } from "@plinth/kit-http";

/** Shared: creating an error takes longer than most calls, and every call ends with it. */
const LEFT = new DOMException("The client has left", "AbortError");

/** Limits for the callers of the listener. */
export interface HttpGuards {
  readonly guard: ResponseGuard;
  readonly limits: ClientLimits;
}

/** The caller behind one HTTP request. */
export class HttpClient implements RpcClient {
  readonly endpoint: Endpoint;
  readonly remoteAddress: string | undefined;
  readonly calls: CallBudget | undefined;
  readonly budget: ResponseBudget;
  identity: Identity | undefined;
  /** Plugins are asked before the body is read. */
  readonly isAdmitted = true;
  readonly #response: ServerResponse;
  #closed: AbortController | undefined;

  constructor(endpoint: Endpoint, response: ServerResponse, { guard, limits }: HttpGuards) {
    this.endpoint = endpoint;
    this.#response = response;
    // Computed once: each member of a batch reads them.
    this.remoteAddress = limits.addressOf(response.req);
    this.calls = limits.callsOf(this.remoteAddress);
    this.budget = guard.budgetOf(response.req.socket);
  }

  get headers(): Readonly<IncomingHttpHeaders> {
    return this.#response.req.headers;
  }

  /** Many calls may come over one socket. */
  get connection(): object {
    return this.#response.socket ?? this;
  }

  /** Created on first use: most calls end before anything needs it. */
  get closed(): AbortSignal {
    if (this.#closed === undefined) {
      const controller = new AbortController();
      const response = this.#response;
      if (response.closed) controller.abort(LEFT);
      // The response and not its socket, which may serve thousands of calls.
      else response.once("close", () => controller.abort(LEFT));
      this.#closed = controller;
    }
    return this.#closed.signal;
  }

  /** Ends the call, as on a timeout. */
  close(): void {
    this.#closed ??= new AbortController();
    this.#closed.abort();
  }
}
