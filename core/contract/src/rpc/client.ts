import type { IncomingHttpHeaders } from "node:http";
import type { CallBudget } from "./call-budget.js";
import type { Endpoint } from "./endpoint.js";
import type { ResponseBudget } from "./response-budget.js";

/** The identity of a caller, once a plugin has authenticated it. */
export interface Identity {
  readonly name: string;
  /** Its permissions, in the format of the plugin that authenticated it. */
  readonly permissions: readonly string[];
  /** The key that identifies it to a private transaction manager. */
  readonly privacyPublicKey?: string;
  /**
   * When the authentication expires, in milliseconds since 1970; connections that push are closed
   * then.
   */
  readonly expiresAt?: number;
}

/** The caller, and its listener. */
export interface RpcClient {
  readonly endpoint: Endpoint;
  /**
   * Its identity; set in `rpc.admit` or `rpc.authorize` by the plugin that authenticates callers.
   */
  identity?: Identity | undefined;
  /** Whether its listener called `admit` before it read the body. */
  readonly isAdmitted?: boolean;
  /** Headers of the request or of the handshake; absent on listeners without any. */
  readonly headers?: Readonly<IncomingHttpHeaders>;
  /** Pushes a message; only on listeners that can. */
  readonly notify?: (method: string, params: unknown) => void;
  /**
   * Resolves when the network has accepted all pushed messages; only on listeners that can push.
   *
   * Await it before the next of many messages: a client that leaves too many unread is disconnected.
   */
  readonly written?: () => Promise<void>;
  /** The memory budget of responses to this caller; unlimited by default. */
  readonly budget?: ResponseBudget;
  /** The call limits of this caller; unlimited by default. */
  readonly calls?: CallBudget | undefined;
  /** The network address of the caller, which identifies requests of one client. */
  readonly remoteAddress?: string | undefined;
  /** The underlying connection, which may carry many calls; the client itself by default. */
  readonly connection?: object;
  /** Aborts when the caller has disconnected. */
  readonly closed: AbortSignal;
}
