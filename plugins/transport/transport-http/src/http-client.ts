import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { RpcClient } from "@plinth/core";
import type { CallBudget, Endpoint, Identity, ResponseBudget } from "@plinth/core/rpc";
import type { ClientLimits, ResponseGuard } from "@plinth/kit-http";

/** One for all: making an error takes longer than most calls do, and every call ends with it. */
const LEFT = new DOMException("The client has left", "AbortError");

/** What limits the callers of the listener. */
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
    // Found once: a batch asks for them with each of its members.
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

  /** Made when it is first asked for: most calls end before anybody could. */
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

  /** Ends the call, as when its time is up. */
  close(): void {
    this.#closed ??= new AbortController();
    this.#closed.abort();
  }
}
