import { describe, expect, it } from "vitest";
import { isLocal, isLoopback, subnetOf } from "./addresses.js";

describe("an address", () => {
  it.each([
    ["203.0.113.7", "203.0.113"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["2001:0db8:0001:0002::", "2001:db8:1:2"],
    ["::1", "0:0:0:0"],
  ])("%s belongs to the subnet %s", (address, subnet) => {
    expect(subnetOf(address)).toBe(subnet);
  });

  it("is local in private networks, and loopback on this machine only", () => {
    const addresses = ["127.0.0.1", "10.1.2.3", "192.168.0.9", "203.0.113.7", "::1", "fd00::1"];

    expect(addresses.map(isLocal)).toEqual([true, true, true, false, true, true]);
    expect(addresses.map(isLoopback)).toEqual([true, false, false, false, true, false]);
  });
});
