import type { ListenTls } from "@plinth/core/rpc";
import { describe, expect, it } from "vitest";
import { ownPageCheck } from "./node-pages.js";

const at = (port: number, isSecure = false) => ({
  address: () => ({ host: "127.0.0.1", port, ...(isSecure && { tls: {} as ListenTls }) }),
});
const explorer = { ...at(9000), isOnHttpPort: false };
const onHttpPort = { ...at(8545), isOnHttpPort: true };
const onSecurePort = { ...at(8545, true), isOnHttpPort: true };

describe("the check for pages of the node", () => {
  it.each([
    ["the port of the pages", explorer, "http://127.0.0.1:9000", "127.0.0.1:8545"],
    ["an IPv6 address", explorer, "http://[::1]:9000", "[::1]:8545"],
    ["the listener itself", onHttpPort, "http://127.0.0.1:8545", "127.0.0.1:8545"],
    ["another listener", onHttpPort, "http://127.0.0.1:8545", "127.0.0.1:8546"],
    ["a proxy", onHttpPort, "http://node.test", "node.test"],
    ["a proxy with TLS", onHttpPort, "https://node.test", "node.test"],
    ["TLS", onSecurePort, "https://127.0.0.1:8545", "127.0.0.1:8545"],
  ])("accepts %s", (_, page, origin, host) => {
    expect(ownPageCheck([page], ["127.0.0.1"])(origin, host)).toBe(true);
  });

  it.each([
    ["another port", explorer, "http://127.0.0.1:9001", "127.0.0.1:8545"],
    ["the listener without pages", explorer, "http://127.0.0.1:8545", "127.0.0.1:8545"],
    ["a proxy that has other pages", explorer, "https://node.test", "node.test"],
    ["no TLS where the pages have it", onSecurePort, "http://127.0.0.1:8545", "127.0.0.1:8545"],
    ["a proxy without TLS", onSecurePort, "http://node.test", "node.test"],
    ["another host", explorer, "http://evil.test:9000", "127.0.0.1:8545"],
    ["another name of the same machine", explorer, "http://localhost:9000", "127.0.0.1:8545"],
    ["another scheme", explorer, "ftp://127.0.0.1:9000", "127.0.0.1:8545"],
    ["a file", explorer, "null", "127.0.0.1:8545"],
    ["a caller without a host", explorer, "http://127.0.0.1:9000", undefined],
    [
      "a port that is not open yet",
      { address: () => undefined, isOnHttpPort: true },
      "http://127.0.0.1:8545",
      "127.0.0.1:8545",
    ],
  ])("rejects %s", (_, page, origin, host) => {
    expect(ownPageCheck([page], ["127.0.0.1"])(origin, host)).toBe(false);
  });

  it("rejects everything if the node has no pages", () => {
    expect(ownPageCheck([], [])("http://127.0.0.1:8545", "127.0.0.1:8545")).toBe(false);
  });

  it.each([
    ["http://evil.test:8545", "evil.test:8545", false],
    ["http://localhost:8545", "localhost:8545", true],
    ["http://10.0.0.7:8545", "10.0.0.7:8545", true],
  ])("with any host name allowed, %s is accepted: %s, %s", (origin, host, isAccepted) => {
    expect(ownPageCheck([onHttpPort], "any")(origin, host)).toBe(isAccepted);
  });
});
