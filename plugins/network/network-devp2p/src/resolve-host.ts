import { lookup, Resolver } from "node:dns/promises";
import { isIP } from "node:net";

/** Resolves the host of an enode to an IP address; rejects if it has none. */
export type ResolveHost = (host: string) => Promise<string>;

/** Uses the system resolver, or the given DNS server. */
export function createResolver(server: string | undefined): ResolveHost {
  if (server === undefined) {
    return async (host) => (isIP(host) === 0 ? (await lookup(host)).address : host);
  }
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  resolver.setServers([server]);
  return async (host) => {
    if (isIP(host) !== 0) return host;
    const [address] = await resolver.resolve4(host);
    if (address === undefined) throw new Error(`${host} has no address`);
    return address;
  };
}

/** Resolves each name once and caches the result. */
export function resolveOnce(resolve: ResolveHost): ResolveHost {
  const known = new Map<string, string>();
  return async (host) => {
    const address = known.get(host) ?? (await resolve(host));
    known.set(host, address);
    return address;
  };
}
