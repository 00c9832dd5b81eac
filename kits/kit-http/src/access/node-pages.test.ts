import { describe, expect, it } from "vitest";
import { ownPageCheck } from "./node-pages.js";

const explorer = { port: () => 9000 };

describe("the check for pages of the node", () => {
  it.each([
    ["the listener itself", "http://127.0.0.1:8545", "127.0.0.1:8545"],
    ["the port of the pages", "http://127.0.0.1:9000", "127.0.0.1:8545"],
    ["an IPv6 address", "http://[::1]:9000", "[::1]:8545"],
    ["a proxy with TLS", "https://node.test", "node.test"],
  ])("accepts %s", (_, origin, host) => {
    expect(ownPageCheck([explorer], ["127.0.0.1"])(origin, host)).toBe(true);
  });

  it.each([
    ["another port", "http://127.0.0.1:9001", "127.0.0.1:8545"],
    ["another host", "http://evil.test:9000", "127.0.0.1:8545"],
    ["another name of the same machine", "http://localhost:9000", "127.0.0.1:8545"],
    ["another scheme", "ftp://127.0.0.1:9000", "127.0.0.1:8545"],
    ["a file", "null", "127.0.0.1:8545"],
    ["a caller without a host", "http://127.0.0.1:9000", undefined],
  ])("rejects %s", (_, origin, host) => {
    expect(ownPageCheck([explorer], ["127.0.0.1"])(origin, host)).toBe(false);
  });

  it("rejects everything if the node has no pages", () => {
    expect(ownPageCheck([], [])("http://127.0.0.1:8545", "127.0.0.1:8545")).toBe(false);
  });

  it.each([
    ["http://evil.test:8545", "evil.test:8545", false],
    ["http://localhost:8545", "localhost:8545", true],
    ["http://10.0.0.7:8545", "10.0.0.7:8545", true],
  ])("with any host name allowed, %s is accepted: %s, %s", (origin, host, isAccepted) => {
    expect(ownPageCheck([explorer], "any")(origin, host)).toBe(isAccepted);
  });
});
