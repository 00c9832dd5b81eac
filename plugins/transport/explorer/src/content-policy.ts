import type { PageListeners } from "./listeners.js";

/**
 * A host name or address with an optional port; nothing that could end a directive. Policies cannot contain IPv6
 * addresses.
 */
const HOST = /^([a-z0-9._-]+)(:\d{1,5})?$/i;

/**
 * The content security policy of the page: files of this origin only, neither inline scripts nor
 * inline styles, and connections to nothing but the listeners of the node.
 */
export function contentPolicy(host: string | undefined, { http, ws }: PageListeners): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    ["connect-src 'self'", ...connections(host, { http, ws })].join(" "),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

function connections(
  host: string | undefined,
  { http, ws }: Pick<PageListeners, "http" | "ws">,
): readonly string[] {
  const [, name, port = ""] = HOST.exec(host ?? "") ?? [];
  if (name === undefined) return [];
  // Some browsers do not count WebSockets of the same origin as 'self'.
  const own = [`ws://${name}${port}`, `wss://${name}${port}`];
  const ofHttp = http === null ? [] : [`http${http.isSecure ? "s" : ""}://${name}:${http.port}`];
  const onHttpPort = http === null ? [] : [`ws${http.isSecure ? "s" : ""}://${name}:${http.port}`];
  const ofWs = ws === null ? [] : [`ws${ws.isSecure ? "s" : ""}://${name}:${ws.port}`];
  return [...new Set([...own, ...ofHttp, ...onHttpPort, ...ofWs])];
}
