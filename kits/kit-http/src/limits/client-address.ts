import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { ConfigError } from "@plinth/core";

/** Finds the address of the client behind a request. */
export type FindAddress = (request: IncomingMessage) => string | undefined;

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const HEADER = "x-forwarded-for";

/**
 * The address of the client: that of the connection, or the last one in `X-Forwarded-For` that is
 * not a trusted proxy if the connection comes from one.
 *
 * Earlier entries of the header were written by the client itself and are ignored.
 */
export function clientAddresses(proxies: TrustedProxies): FindAddress {
  if (proxies.isEmpty) return ({ socket }) => socket.remoteAddress;
  return ({ socket, headers }) => {
    const direct = socket.remoteAddress;
    if (!proxies.has(direct)) return direct;
    const chain = String(headers[HEADER] ?? "")
      .split(",")
      .map((entry) => addressIn(entry.trim()));
    let found = direct;
    for (const address of chain.reverse()) {
      // A proxy writes addresses only: entries before anything else cannot be trusted.
      if (address === undefined) break;
      found = address;
      if (!proxies.has(address)) break;
    }
    return found;
  };
}

/** The proxies trusted to report the address of a client. */
export class TrustedProxies {
  readonly isEmpty: boolean;
  readonly #list = new BlockList();

  /** Throws if an entry is neither an address nor a network. */
  constructor(option: string, entries: readonly string[]) {
    this.isEmpty = entries.length === 0;
    for (const entry of entries) this.#add(option, entry);
  }

  has(address: string | undefined): boolean {
    if (address === undefined) return false;
    const plain = withoutMapping(address);
    const kind = isIP(plain);
    return kind !== 0 && this.#list.check(plain, kind === 6 ? "ipv6" : "ipv4");
  }

  #add(option: string, entry: string): void {
    const [address = "", prefix, ...rest] = entry.split("/");
    const kind = isIP(address);
    const most = kind === 6 ? 128 : 32;
    const bits = prefix === undefined ? most : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1;
    if (kind === 0 || bits < 0 || bits > most || rest.length > 0) {
      throw new ConfigError("OPTION_INVALID", {
        message: `Invalid value for option '--${option}': '${entry}' is neither an address nor a network such as 10.0.0.0/8`,
        option,
      });
    }
    this.#list.addSubnet(address, bits, kind === 6 ? "ipv6" : "ipv4");
  }
}

/** A dual-stack socket reports IPv4 addresses as `::ffff:127.0.0.1`. */
function withoutMapping(address: string): string {
  return MAPPED.exec(address)?.[1] ?? address;
}

/** `10.0.0.1`, `10.0.0.1:4711`, `[::1]:4711` or `::1`. */
function addressIn(entry: string): string | undefined {
  if (isIP(entry) !== 0) return withoutMapping(entry);
  const host = /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^([\d.]+):\d+$/.exec(entry)?.[1];
  return host !== undefined && isIP(host) !== 0 ? withoutMapping(host) : undefined;
}

/** The identity of a client: over IPv6 it has any number of addresses, but one network. */
export function clientKey(address: string | undefined): string {
  if (address === undefined) return "";
  const plain = withoutMapping(address);
  return isIP(plain) === 6 ? networkOf(plain) : plain;
}

/** The first 64 bits of an IPv6 address. */
function networkOf(address: string): string {
  const [head = "", tail] = (address.split("%")[0] ?? "").toLowerCase().split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - before.length - after.length);
  const groups = [...before, ...Array<string>(zeros).fill("0"), ...after];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}
