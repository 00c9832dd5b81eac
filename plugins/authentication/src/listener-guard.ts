import { type AuthorizeEvent, type Identity, type RpcClient, RpcError } from "@plinth/core";
import type { GuardedListener } from "./guarded-listeners.js";
import { holds } from "./permissions.js";

const BEARER = /^bearer +([^ ]+) *$/i;

/** Finds out whose a token is; `undefined` when it is not valid. */
export type Identify = (token: string) => Identity | undefined | Promise<Identity | undefined>;

/** Decides who may call what on one listener. */
export class ListenerGuard {
  readonly #openMethods: ReadonlySet<string>;
  readonly #identify: Identify;

  constructor({ openMethods }: Pick<GuardedListener, "openMethods">, identify: Identify) {
    this.#openMethods = new Set(openMethods);
    this.#identify = identify;
  }

  /**
   * Finds out who sends a request or a message, every time, since tokens expire.
   *
   * A request without a token is refused as a whole where every method needs one; on a connection each
   * call is.
   */
  admit(client: RpcClient): RpcError | undefined | Promise<undefined> {
    const token = BEARER.exec(client.headers?.authorization ?? "")?.[1];
    if (token === undefined) {
      client.identity = undefined;
      const isRefused = this.#openMethods.size === 0 && !client.endpoint.duplex;
      return isRefused ? RpcError.unauthorized() : undefined;
    }
    const identity = this.#identify(token);
    if (identity instanceof Promise) return identity.then((late) => note(client, late));
    return note(client, identity);
  }

  /** Refuses a call whose caller does not hold the permission. */
  authorize({ method, permission, client: { identity } }: AuthorizeEvent): RpcError | undefined {
    if (this.#openMethods.has(method)) return undefined;
    if (identity !== undefined && holds(identity, permission)) return undefined;
    return RpcError.unauthorized();
  }
}

function note(client: RpcClient, identity: Identity | undefined): undefined {
  client.identity = identity;
  return undefined;
}
