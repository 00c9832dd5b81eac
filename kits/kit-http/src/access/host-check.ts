import type { WildcardList } from "./wildcard-list.js";

/** Whether a `Host` header contains an allowed host. */
export function hostCheck(hosts: WildcardList): (header: string | undefined) => boolean {
  if (hosts === "any") return () => true;
  const allowed = new Set(hosts.map((host) => host.toLowerCase()));
  let last: string | undefined;
  return (header) => {
    // A caller sends the same header with every call, and parsing it costs more than comparing it.
    if (header !== undefined && header === last) return true;
    const name = hostOf(header);
    if (name === undefined || !allowed.has(name)) return false;
    last = header;
    return true;
  };
}

/** `example.org:8545` → `example.org`, `[::1]:8545` → `::1`; `undefined` if it is malformed. */
export function hostOf(header: string | undefined): string | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([^:/@\s[\]]+))(?::\d{0,5})?$/i.exec(header ?? "");
  return (match?.[1] ?? match?.[2])?.toLowerCase();
}
