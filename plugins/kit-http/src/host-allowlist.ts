import fp from "fastify-plugin";
import type { WildcardList } from "./wildcard-list.js";

/** What the host check goes by. */
export interface HostSettings {
  readonly hosts: WildcardList;
  /** Paths of probes, which ask from wherever the orchestrator stands. */
  readonly probes: readonly string[];
}

/** Refuses requests whose `Host` is not on the list, which stops DNS rebinding. */
export const hostAllowlistGuard = fp<HostSettings>(async (server, { hosts, probes }) => {
  const isAllowed = hostCheck(hosts);
  server.addHook("onRequest", ({ headers, url }, reply, done) => {
    if (isAllowed(headers.host) || probes.includes(url.split("?")[0] ?? url)) return done();
    reply.hijack();
    reply.raw.writeHead(403, { "content-type": "application/json; charset=utf-8" });
    reply.raw.end('{"message":"Host not authorized."}');
  });
});

/** Checks whether a `Host` header names an allowed host. */
export function hostCheck(hosts: WildcardList): (header: string | undefined) => boolean {
  if (hosts === "any") return () => true;
  const allowed = new Set(hosts.map((host) => host.toLowerCase()));
  let last: string | undefined;
  return (header) => {
    // A caller sends the same header with every call, and reading it costs more than comparing it.
    if (header !== undefined && header === last) return true;
    const name = hostOf(header);
    if (name === undefined || !allowed.has(name)) return false;
    last = header;
    return true;
  };
}

/** `example.org:8545` → `example.org`, `[::1]:8545` → `::1`; `undefined` when it is malformed. */
export function hostOf(header: string | undefined): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:/@\s[\]]+))(?::\d{0,5})?$/i.exec(header ?? "");
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}
