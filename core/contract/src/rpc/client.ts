import type { IncomingHttpHeaders } from "node:http";
import type { CallBudget } from "./call-budget.js";
import type { Endpoint } from "./endpoint.js";
import type { ResponseBudget } from "./response-budget.js";

/** Who a caller is, once a plugin has found out. */
export interface Identity {
  readonly name: string;
  /** What it may do, in the words of the plugin that knows it. */
  readonly permissions: readonly string[];
  /** The key that a private transaction manager knows it by. */
  readonly privacyPublicKey?: string;
  /** When it has to be proved again, in milliseconds since 1970; connections that push end then. */
  readonly expiresAt?: number;
}

/** Who is calling, over which listener. */
export interface RpcClient {
  readonly endpoint: Endpoint;
  /** Who it is; set in `rpc.admit` or `rpc.authorize` by the plugin that authenticates callers. */
  identity?: Identity | undefined;
  /** Whether its listener has called `admit` before it read the body. */
  readonly isAdmitted?: boolean;
  /** Headers of the request or of the handshake; absent on listeners that have none. */
  readonly headers?: Readonly<IncomingHttpHeaders>;
  /** Pushes a message; only on listeners that can. */
  readonly notify?: (method: string, params: unknown) => void;
  /** The memory that responses to this caller may take; without it there is no limit. */
  readonly budget?: ResponseBudget;
  /** How much this caller may call; without it there is no limit. */
  readonly calls?: CallBudget | undefined;
  /** The network address of the caller, by which requests of one client are recognised. */
  readonly remoteAddress?: string | undefined;
  /** The connection behind it, which may carry many calls; the client itself when left out. */
  readonly connection?: object;
  /** Aborts when the caller has left. */
  readonly closed: AbortSignal;
}
