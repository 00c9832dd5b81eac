import { describe, expect, it } from "vitest";
import { hostOf } from "./host-check.js";

describe("the host of a Host header", () => {
  it.each([
    ["localhost", "localhost"],
    ["localhost:8545", "localhost"],
    ["localhost:", "localhost"],
    ["LocalHost", "localhost"],
    ["node-1.example.org:80", "node-1.example.org"],
    ["127.0.0.1:8545", "127.0.0.1"],
    ["[::1]", "::1"],
    ["[::1]:8545", "::1"],
    ["[FE80::1]:8545", "fe80::1"],
    ["[::ffff:127.0.0.1]", "::ffff:127.0.0.1"],
  ])("%s is %s", (header, host) => {
    expect(hostOf(header)).toBe(host);
  });

  it.each([
    undefined,
    "",
    " ",
    ":8545",
    "::1",
    "[::1",
    "[::1]x",
    "[localhost]",
    "localhost:80:80",
    "localhost:http",
    "localhost:123456",
    "me@localhost",
    "localhost/path",
    "local host",
    "http://localhost",
  ])('is undefined if it is malformed: "%s"', (header) => {
    expect(hostOf(header)).toBeUndefined();
  });
});
