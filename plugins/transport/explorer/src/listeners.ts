import type { Runtime } from "@plinth/core";
import type { Endpoint } from "@plinth/core/rpc";

/** How the page reaches a listener, on the host that it was loaded from. */
export interface ReachableListener {
  readonly port: number;
  readonly isSecure: boolean;
}

/** The listeners that the page calls. */
export interface PageListeners {
  readonly http: ReachableListener | null;
  /** `null` if there is none: the page then polls. */
  readonly ws: ReachableListener | null;
  /** Whether WebSockets are accepted on the HTTP port as well. */
  readonly isWsOnHttpPort: boolean;
  /** Whether the page is on the HTTP port itself, by which it then calls, also through a proxy. */
  readonly isOnHttpPort: boolean;
}

/** What the listeners themselves do not know. */
export type PagePlace = Pick<PageListeners, "isWsOnHttpPort" | "isOnHttpPort">;

/** Finds the JSON-RPC listeners of the node once they are open. */
export function findListeners({ rpc }: Pick<Runtime, "rpc">, place: PagePlace): PageListeners {
  const endpoints = rpc.endpoints();
  const find = (name: string) => toListener(endpoints.find((each) => each.name === name));
  return { http: find("json-rpc"), ws: find("ws-rpc"), ...place };
}

function toListener(endpoint: Endpoint | undefined): ReachableListener | null {
  const address = endpoint?.address;
  if (address === undefined) return null;
  return { port: address.port, isSecure: address.tls !== undefined };
}
