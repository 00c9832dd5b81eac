import type { Endpoint } from "./endpoint.js";
import type { ResponseBudget } from "./response-budget.js";

/** Who is calling, over which listener. */
export interface RpcClient {
  readonly endpoint: Endpoint;
  /** Who it is, when the listener asked; permissions are its words for what it may do. */
  readonly identity?: { readonly name: string; readonly permissions: readonly string[] };
  /** Pushes a message; only on listeners that can. */
  readonly notify?: (method: string, params: unknown) => void;
  /** The memory that responses to this caller may take; without it there is no limit. */
  readonly budget?: ResponseBudget;
  /** The network address of the caller, by which requests of one client are recognised. */
  readonly remoteAddress?: string | undefined;
  /** The connection behind it, which may carry many calls; the client itself when left out. */
  readonly connection?: object;
  /** Aborts when the caller has left. */
  readonly closed: AbortSignal;
}
