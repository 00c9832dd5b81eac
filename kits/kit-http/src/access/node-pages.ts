import { isIP } from "node:net";
import { defineContributionPoint } from "@plinth/core";
import type { ListenAddress } from "@plinth/core/rpc";
import { hostOf } from "./host-check.js";
import type { WildcardList } from "./wildcard-list.js";

/** Pages that the node serves itself, whose scripts call its listeners. */
export interface NodePages {
  /** Whether they are on the HTTP port: behind a proxy, they then have the host and port of JSON-RPC. */
  readonly isOnHttpPort: boolean;
  /** Where they are served; `undefined` before the port is open. */
  address(): ListenAddress | undefined;
}

/** The contribution point for a plugin whose pages may call the JSON-RPC listeners. */
export const nodePages = defineContributionPoint<NodePages>("kit-http.pages", {
  summary: "Pages of the node that may call its JSON-RPC listeners, whatever origins are allowed.",
});

/**
 * Whether an origin is that of pages of the node: they have the host name by which the listener is
 * called, which has already been checked, and their own port.
 *
 * If any host name is allowed, only addresses and `localhost` count: a name can be made to point to
 * this machine by its owner.
 */
export function ownPageCheck(
  pages: readonly NodePages[],
  hosts: WildcardList,
): (origin: string, host: string | undefined) => boolean {
  return (origin, host) => {
    const url = URL.canParse(origin) ? new URL(origin) : undefined;
    const name = hostOf(host);
    if (url === undefined || name === undefined || !/^https?:$/.test(url.protocol)) return false;
    if (url.hostname.replace(/^\[|\]$/g, "") !== name) return false;
    if (hosts === "any" && isIP(name) === 0 && name !== "localhost") return false;
    return pages.some((page) => isServedAt(page, url, host));
  };
}

function isServedAt({ isOnHttpPort, address }: NodePages, url: URL, host: string | undefined) {
  const bound = address();
  if (bound === undefined) return false;
  // Where the pages have TLS, one without it was put there by an attacker on the network.
  if (bound.tls !== undefined && url.protocol !== "https:") return false;
  return bound.port === portOf(url) || (isOnHttpPort && url.host === host);
}

function portOf({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}
