import type { Endpoint } from "./endpoint.js";

/** Who is calling, over which listener. */
export interface RpcClient {
  readonly endpoint: Endpoint;
  /** Who it is, when the listener asked; permissions are its words for what it may do. */
  readonly identity?: { readonly name: string; readonly permissions: readonly string[] };
  /** Pushes a message; only on listeners that can. */
  readonly notify?: (method: string, params: unknown) => void;
  /** The connection behind it, which may carry many calls; the client itself when left out. */
  readonly connection?: object;
  /** Aborts when the caller has left. */
  readonly closed: AbortSignal;
}
