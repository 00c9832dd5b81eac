import { BlockList, isIP } from "node:net";
import { ConfigError } from "@plinth/core";

const NETWORK = /^([0-9a-f.:]+)\/(\d{1,3})$/i;

/** Whether an IP address is in one of the networks; any address if there are none. */
export function parseNetworks(texts: readonly string[]): (host: string) => boolean {
  const networks = texts.filter((text) => text !== "");
  if (networks.length === 0) return () => true;
  const list = new BlockList();
  for (const text of networks) {
    const [, address = "", prefix = ""] = NETWORK.exec(text) ?? [];
    const family = isIP(address);
    const bits = Number(prefix);
    if (family === 0 || bits > (family === 4 ? 32 : 128)) throw invalid(text);
    list.addSubnet(address, bits, family === 4 ? "ipv4" : "ipv6");
  }
  return (host) => isIP(host) !== 0 && list.check(host, isIP(host) === 4 ? "ipv4" : "ipv6");
}

function invalid(text: string): ConfigError {
  return new ConfigError("OPTION_INVALID", {
    message: `Invalid value for option '--net-restrict': '${text}' is not a network; expected an address, a slash and a prefix length, such as 10.0.0.0/8`,
    option: "net-restrict",
    value: text,
  });
}
