import type { AuthorizeEvent, RpcClient } from "@plinth/core";
import { LimitExceeded, RpcError } from "@plinth/core";
import type { Endpoint } from "@plinth/core/rpc";

/**
 * A call whose parameters are decoded when a plugin reads them. A class, since literals with
 * getters are slow and long-lived.
 */
export class GuardedCall implements AuthorizeEvent {
  readonly method: string;
  readonly permission: string;
  readonly client: RpcClient;
  readonly #decode: () => AuthorizeEvent["params"];

  constructor(call: {
    readonly method: string;
    readonly permission: string;
    readonly client: RpcClient;
    readonly decode: () => AuthorizeEvent["params"];
  }) {
    this.method = call.method;
    this.permission = call.permission;
    this.client = call.client;
    this.#decode = call.decode;
  }

  get endpoint(): Endpoint {
    return this.client.endpoint;
  }

  get params(): AuthorizeEvent["params"] {
    return this.#decode();
  }
}

/** The result of a plugin that rejects a call. */
export class Denied extends Error {
  readonly error: RpcError;

  constructor(error: RpcError) {
    super(error.message);
    this.error = error;
  }
}

/** Throws the rejection of a plugin, synchronously or asynchronously. */
export function verifyAllowed(
  verdict: RpcError | undefined | Promise<RpcError | undefined>,
): Promise<void> | undefined {
  if (verdict instanceof Promise) return verdict.then(verifyNone);
  verifyNone(verdict);
  return undefined;
}

function verifyNone(refusal: RpcError | undefined): void {
  if (refusal !== undefined) throw new Denied(refusal);
}

/** Whether a call was rejected: by a plugin, by a limit, or for lack of permission. */
export function isDenial(error: unknown): boolean {
  return error instanceof Denied || error instanceof LimitExceeded || isUnauthorized(error);
}

function isUnauthorized(error: unknown): boolean {
  return error instanceof RpcError && error.rpcCode === RpcError.unauthorized().rpcCode;
}
