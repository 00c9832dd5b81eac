import fp from "fastify-plugin";
import { hostCheck } from "./host-check.js";
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
