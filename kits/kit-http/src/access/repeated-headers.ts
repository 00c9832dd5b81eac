import type { IncomingMessage } from "node:http";

/** Headers by which proxies route and delimit requests. */
const SINGLE = ["host", "content-length", "transfer-encoding"];
/** Most names have another length. */
const LENGTHS = new Set(SINGLE.map((name) => name.length));

/**
 * Whether a request has such a header twice (RFC 9112, 3.2 and 6.3).
 *
 * A proxy may use one and this server the other, which would then serve requests that the proxy has
 * not allowed.
 */
export function hasRepeatedHeaders({ rawHeaders }: IncomingMessage): boolean {
  let seen = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (!LENGTHS.has(name.length)) continue;
    const place = SINGLE.indexOf(name.toLowerCase());
    if (place === -1) continue;
    const bit = 1 << place;
    if ((seen & bit) !== 0) return true;
    seen |= bit;
  }
  return false;
}
