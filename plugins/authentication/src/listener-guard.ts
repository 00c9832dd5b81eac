import { type AuthorizeEvent, type Identity, type RpcClient, RpcError } from "@plinth/core";
import type { GuardedListener } from "./guarded-listeners.js";
import { holds } from "./permissions.js";

const BEARER = /^bearer +([^ ]+) *$/i;

/** Finds out whose a token is; `undefined` when it is not valid. */
export type Identify = (token: string) => Promise<Identity | undefined>;

/** Decides who may call what on one listener. */
export class ListenerGuard {
  readonly #openMethods: ReadonlySet<string>;
  readonly #identify: Identify;

  constructor({ openMethods }: Pick<GuardedListener, "openMethods">, identify: Identify) {
    this.#openMethods = new Set(openMethods);
    this.#identify = identify;
  }

  /**
   * Finds out who sends a request or a message, each time anew, since tokens expire.
   *
   * A request without a token is refused as a whole where every method needs one; on a connection each
   * call is.
   */
  async admit(client: RpcClient): Promise<RpcError | undefined> {
    const token = BEARER.exec(client.headers?.authorization ?? "")?.[1];
    client.identity = token === undefined ? undefined : await this.#identify(token);
    const isRefused =
      token === undefined && this.#openMethods.size === 0 && !client.endpoint.duplex;
    return isRefused ? RpcError.unauthorized() : undefined;
  }

  /** Refuses a call whose caller does not hold the permission. */
  authorize({ method, permission, client: { identity } }: AuthorizeEvent): RpcError | undefined {
    if (this.#openMethods.has(method)) return undefined;
    if (identity !== undefined && holds(identity, permission)) return undefined;
    return RpcError.unauthorized();
  }
}
