import { type AuthorizeEvent, type RpcClient, RpcError } from "@plinth/core";
import type { Identity } from "@plinth/core/rpc";
import type { GuardedListener } from "./guarded-listeners.js";
import { holds } from "./permissions.js";

/** A larger body is not read just for the id in an error response. */
const MAX_REFUSED_BYTES = 64 * 1024;
const BEARER = /^bearer +([^ ]+) *$/i;

/** Finds the owner of a token; `undefined` if it is invalid. */
export type Identify = (token: string) => Identity | undefined | Promise<Identity | undefined>;

/** What a request states about its caller. */
interface Authorization {
  readonly header: string;
  readonly token: string | undefined;
}

/** Authorizes the calls of one listener. */
export class ListenerGuard {
  readonly #openMethods: ReadonlySet<string>;
  readonly #identify: Identify;
  /**
   * The last result of each connection: the same token comes with every request, and need not be
   * parsed again.
   */
  readonly #last = new WeakMap<object, Authorization>();

  constructor({ openMethods }: Pick<GuardedListener, "openMethods">, identify: Identify) {
    this.#openMethods = new Set(openMethods);
    this.#identify = identify;
  }

  /**
   * Authenticates every request and message, since tokens expire.
   *
   * A request without a token is rejected as a whole if every method needs one, and so is a large one with an invalid
   * token; otherwise each call is rejected with its id.
   */
  admit(client: RpcClient): RpcError | undefined | Promise<RpcError | undefined> {
    const token = this.#tokenOf(client);
    if (token === undefined) {
      client.identity = undefined;
      return this.#needsToken(client) ? RpcError.unauthorized() : undefined;
    }
    const identity = this.#identify(token);
    if (identity instanceof Promise) return identity.then((late) => this.#note(client, late));
    return this.#note(client, identity);
  }

  #note(client: RpcClient, identity: Identity | undefined): RpcError | undefined {
    client.identity = identity;
    const isRefused = identity === undefined && this.#needsToken(client) && !hasSmallBody(client);
    return isRefused ? RpcError.unauthorized() : undefined;
  }

  /** Whether no call of a request succeeds without a token. */
  #needsToken({ endpoint }: RpcClient): boolean {
    return this.#openMethods.size === 0 && !endpoint.duplex;
  }

  #tokenOf(client: RpcClient): string | undefined {
    const header = client.headers?.authorization ?? "";
    const connection = client.connection ?? client;
    const last = this.#last.get(connection);
    if (last?.header === header) return last.token;
    const token = BEARER.exec(header)?.[1];
    this.#last.set(connection, { header, token });
    return token;
  }

  /** Rejects a call whose caller lacks the permission. */
  authorize({ method, permission, client: { identity } }: AuthorizeEvent): RpcError | undefined {
    if (this.#openMethods.has(method)) return undefined;
    if (identity !== undefined && holds(identity, permission)) return undefined;
    return RpcError.unauthorized();
  }
}

/** A body without a length may be of any size. */
function hasSmallBody({ headers }: RpcClient): boolean {
  return Number(headers?.["content-length"] ?? Number.NaN) <= MAX_REFUSED_BYTES;
}
