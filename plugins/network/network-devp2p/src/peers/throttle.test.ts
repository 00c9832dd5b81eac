import { FakeClock } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { Throttle } from "./throttle.js";

const admitted = (throttle: Throttle, address: string, count: number) =>
  Array.from({ length: count }, () => throttle.admits(address)).filter(Boolean).length;

describe("connections of one address", () => {
  it.each(["192.0.2.1", "2001:db8::1"])(
    "from %s are 16 at once, then one in two seconds",
    async (address) => {
      const clock = new FakeClock(1_000_000);
      const throttle = new Throttle(clock);

      expect(admitted(throttle, address, 100)).toBe(16);
      await clock.advance(2_000);
      expect(admitted(throttle, address, 100)).toBe(1);
      await clock.advance(60_000);
      expect(admitted(throttle, address, 100)).toBe(16);
      expect(admitted(throttle, "192.0.2.2", 1)).toBe(1);
    },
  );

  it.each(["127.0.0.1", "10.1.2.3", "172.31.0.1", "192.168.1.1", "::1", "fd00::1"])(
    "from %s are not limited",
    (address) => {
      expect(admitted(new Throttle(new FakeClock()), address, 1000)).toBe(1000);
    },
  );
});
