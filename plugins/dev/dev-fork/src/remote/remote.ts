import { type Clock, messageOf, systemClock } from "@plinth/core";
import { mapConcurrent } from "@plinth/core/async";
import { RemoteRefusal, RemoteUnreachable } from "./errors.js";
import { postJson, TransientFailure } from "./post-json.js";
import { originOf } from "./url.js";

/** A call of a JSON-RPC method. */
export interface RemoteCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** How another node is asked. */
export interface RemoteSettings {
  readonly url: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly clock?: Pick<Clock, "sleep">;
  readonly limits?: Partial<RemoteLimits>;
}

/** Limits of a request. */
export interface RemoteLimits {
  /** Of the whole response. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** How often a request is sent. */
  readonly attempts: number;
  /** The delay before the second attempt; it doubles with each. */
  readonly retryMs: number;
}

const DEFAULTS: RemoteLimits = {
  timeoutMs: 60_000,
  maxBytes: 64 * 2 ** 20,
  attempts: 6,
  retryMs: 500,
};
/** Of a node without batches. */
const CALLS_IN_PARALLEL = 16;
const MAX_DELAY_MS = 30_000;
/** "Limit exceeded": of EIP-1474, and of providers. */
const RATE_LIMITED = [-32005, -32029, 429];

interface Response {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown } | null;
}

/** A node of another network, by JSON-RPC over HTTP: with limits in bytes and time, and retries. */
export class Remote {
  /** For messages: its address without the path. */
  readonly name: string;
  readonly #settings: RemoteSettings;
  readonly #limits: RemoteLimits;
  readonly #clock: Pick<Clock, "sleep">;
  /** Until the node rejects one. */
  #hasBatches = true;

  constructor(settings: RemoteSettings) {
    this.name = originOf(settings.url);
    this.#settings = settings;
    this.#limits = { ...DEFAULTS, ...settings.limits };
    this.#clock = settings.clock ?? systemClock;
  }

  /** The result of a call; rejects with `RemoteRefusal` or `RemoteUnreachable`. */
  async call(method: string, params: readonly unknown[], signal?: AbortSignal): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    return this.#retry(async () => {
      const response = await this.#post(body, signal);
      if (!isResponse(response)) throw notJsonRpc();
      return resultOf(this.name, method, response);
    }, signal);
  }

  /** The results of calls in their order; rejects if one of them fails. */
  async callAll(calls: readonly RemoteCall[], signal?: AbortSignal): Promise<readonly unknown[]> {
    if (calls.length === 0) return [];
    const [first] = calls;
    if (first !== undefined && calls.length === 1)
      return [await this.call(first.method, first.params, signal)];
    if (!this.#hasBatches) return this.#callEach(calls, signal);
    try {
      return await this.#callBatch(calls, signal);
    } catch (error) {
      if (!(error instanceof BatchRefused)) throw error;
      this.#hasBatches = false;
      return this.#callEach(calls, signal);
    }
  }

  async #callEach(calls: readonly RemoteCall[], signal: AbortSignal | undefined) {
    const each = ({ method, params }: RemoteCall) => this.call(method, params, signal);
    const results: unknown[] = [];
    for await (const result of mapConcurrent(calls, each, { concurrency: CALLS_IN_PARALLEL }))
      results.push(result);
    return results;
  }

  async #callBatch(
    calls: readonly RemoteCall[],
    signal: AbortSignal | undefined,
  ): Promise<readonly unknown[]> {
    const body = JSON.stringify(
      calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params })),
    );
    return this.#retry(async () => {
      const responses = await this.#post(body, signal);
      if (isResponse(responses)) throw refusedBatch(this.name, responses);
      if (!Array.isArray(responses)) throw notJsonRpc();
      const byId = new Map<unknown, Response>(
        responses.filter(isResponse).map((each) => [each.id, each]),
      );
      return calls.map(({ method }, id) => {
        const response = byId.get(id);
        if (response === undefined)
          throw new Error(`a batch has no response to its call of ${method}`);
        return resultOf(this.name, method, response);
      });
    }, signal);
  }

  #post(body: string, signal: AbortSignal | undefined): Promise<unknown> {
    const { url, headers } = this.#settings;
    const { timeoutMs, maxBytes } = this.#limits;
    return postJson(url, { body, headers, timeoutMs, maxBytes, signal });
  }

  async #retry<T>(run: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const { attempts, retryMs } = this.#limits;
    for (let attempt = 1; ; attempt++) {
      try {
        return await run();
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof RemoteRefusal) throw error;
        if (!(error instanceof TransientFailure) || attempt === attempts) {
          const times = attempt === 1 ? "" : ` (${attempt} attempts)`;
          throw new RemoteUnreachable(this.name, `${messageOf(error)}${times}`, error);
        }
        const delay = error.retryAfterMs ?? retryMs * 2 ** (attempt - 1);
        await this.#clock.sleep(Math.min(delay, MAX_DELAY_MS), signal);
      }
    }
  }
}

function resultOf(source: string, method: string, { result, error }: Response): unknown {
  if (error === undefined || error === null) {
    if (result === undefined) throw notJsonRpc();
    return result;
  }
  const rpcCode = typeof error.code === "number" ? error.code : 0;
  const reason = typeof error.message === "string" ? error.message.slice(0, 500) : "no reason";
  if (RATE_LIMITED.includes(rpcCode)) throw new TransientFailure(`rate limited: ${reason}`);
  throw new RemoteRefusal(source, { method, rpcCode, reason });
}

/** The node rejects requests with several calls. */
class BatchRefused extends RemoteRefusal {}

/** One error for a whole batch: it limits the rate, or has no batches. */
function refusedBatch(source: string, response: Response): Error {
  try {
    resultOf(source, "a batch of calls", response);
    return notJsonRpc();
  } catch (error) {
    if (!(error instanceof RemoteRefusal)) throw error;
    return new BatchRefused(source, error);
  }
}

function isResponse(json: unknown): json is Response {
  return typeof json === "object" && json !== null && !Array.isArray(json);
}

function notJsonRpc(): Error {
  return new Error("the response is not one of JSON-RPC");
}
