import fp from "fastify-plugin";
import { hostCheck } from "./host-check.js";
import { hasRepeatedHeaders } from "./repeated-headers.js";
import { shownHeader } from "./shown-header.js";
import type { WildcardList } from "./wildcard-list.js";

/** The settings of the host check. */
export interface HostSettings {
  readonly hosts: WildcardList;
  /** Paths of probes, which come from any host. */
  readonly probes: readonly string[];
  readonly explainsRefusals: boolean;
}

/**
 * Rejects requests whose `Host` is not on the list, which prevents DNS rebinding, or occurs twice.
 */
export const hostAllowlistGuard = fp<HostSettings>(async (server, settings) => {
  const { hosts, probes, explainsRefusals } = settings;
  const isAllowed = hostCheck(hosts);
  server.addHook("onRequest", ({ headers, url, raw }, reply, done) => {
    if (hasRepeatedHeaders(raw)) {
      reply.hijack();
      // The following bytes on this connection may be a part of this request.
      reply.raw.writeHead(400, { "content-type": "text/plain", connection: "close" });
      reply.raw.end("Bad Request");
      return;
    }
    if (isAllowed(headers.host) || probes.includes(url.split("?")[0] ?? url)) return done();
    reply.hijack();
    reply.raw.writeHead(403, { "content-type": "application/json; charset=utf-8" });
    const reason = explainsRefusals
      ? ` Host: ${shownHeader(headers.host)} is not in --host-allowlist.`
      : "";
    reply.raw.end(JSON.stringify({ message: `Host not authorized.${reason}` }));
  });
});
