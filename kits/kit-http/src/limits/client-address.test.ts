import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { clientAddresses, clientKey, TrustedProxies } from "./client-address.js";

const PROXIES = ["10.0.0.0/8", "192.0.2.1", "2001:db8::/32"];

describe("the address of a client", () => {
  it.each([
    ["without trusted proxies", [], "203.0.113.7", "198.51.100.1", "203.0.113.7"],
    ["from elsewhere", PROXIES, "203.0.113.7", "198.51.100.1", "203.0.113.7"],
    ["from a proxy", PROXIES, "10.1.2.3", "198.51.100.1", "198.51.100.1"],
    ["from a proxy over IPv6", PROXIES, "2001:db8::1", "198.51.100.1", "198.51.100.1"],
    ["from a proxy, IPv4-mapped", PROXIES, "::ffff:10.1.2.3", "198.51.100.1", "198.51.100.1"],
    ["from a chain of proxies", PROXIES, "10.1.2.3", "198.51.100.1, 192.0.2.1", "198.51.100.1"],
    ["with a lie before the truth", PROXIES, "10.1.2.3", "1.1.1.1, 198.51.100.1", "198.51.100.1"],
    [
      "with a lie that names a proxy",
      PROXIES,
      "10.1.2.3",
      "10.9.9.9, 198.51.100.1",
      "198.51.100.1",
    ],
    ["with a port", PROXIES, "10.1.2.3", "198.51.100.1:4711", "198.51.100.1"],
    ["with brackets", PROXIES, "10.1.2.3", "[2001:db9::5]:4711", "2001:db9::5"],
    ["with garbage", PROXIES, "10.1.2.3", "<script>", "10.1.2.3"],
    ["with garbage before a proxy", PROXIES, "10.1.2.3", "unknown, 192.0.2.1", "192.0.2.1"],
    ["without a header", PROXIES, "10.1.2.3", undefined, "10.1.2.3"],
  ])("%s", (_, proxies, remoteAddress, forwarded, expected) => {
    const addressOf = clientAddresses(new TrustedProxies("rpc-trusted-proxies", proxies));
    const request = { socket: { remoteAddress }, headers: { "x-forwarded-for": forwarded } };

    expect(addressOf(request as unknown as IncomingMessage)).toBe(expected);
  });

  it.each(["10.0.0.0/33", "10.0.0.0/x", "proxy.example", "::/129", "10.0.0.0/8/8", ""])(
    "is not taken from %j, which is not a network",
    (entry) => {
      expect(() => new TrustedProxies("rpc-trusted-proxies", [entry])).toThrow(
        `Invalid value for option '--rpc-trusted-proxies': '${entry}' is neither`,
      );
    },
  );

  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0db8:1:2::6", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    [undefined, ""],
  ])("%s belongs to the client %s", (address, key) => {
    expect(clientKey(address)).toBe(key);
  });
});
