import fp from "fastify-plugin";
import type { WildcardList } from "./wildcard-list.js";

/** Paths of probes, which ask from wherever the orchestrator stands. */
export const PROBES: readonly string[] = ["/liveness", "/readiness"];

/** Refuses requests whose `Host` is not on the list, which stops DNS rebinding. */
export const hostAllowlistGuard = fp<{ readonly hosts: WildcardList }>(
  async (server, { hosts }) => {
    if (hosts === "any") return;
    const allowed = new Set(hosts.map((host) => host.toLowerCase()));
    server.addHook("onRequest", (request, reply, done) => {
      const name = hostOf(request.headers.host);
      if ((name !== undefined && allowed.has(name)) || isProbe(request.url)) return done();
      reply.hijack();
      reply.raw.writeHead(403, { "content-type": "application/json; charset=utf-8" });
      reply.raw.end('{"message":"Host not authorized."}');
    });
  },
);

/** `example.org:8545` → `example.org`, `[::1]:8545` → `::1`; `undefined` when it is malformed. */
export function hostOf(header: string | undefined): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:/@\s[\]]+))(?::\d{0,5})?$/i.exec(header ?? "");
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}

function isProbe(url: string): boolean {
  return PROBES.includes(url.split("?")[0] ?? url);
}
