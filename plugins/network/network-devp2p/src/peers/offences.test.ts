import { FakeClock } from "@plinth/testing";
import { describe, expect, it } from "vitest";
import { Offences } from "./offences.js";

const BREACH = { reason: "breach-of-protocol", byPeer: false } as const;

function commit(offences: Offences, address: string, times: number): void {
  for (let n = 0; n < times; n++) offences.ended(address, BREACH);
}

describe("the offenses of an address", () => {
  it("exceed the limit at the eighth, and expire after ten minutes", async () => {
    const clock = new FakeClock(0);
    const offences = new Offences(clock);

    commit(offences, "203.0.113.9", 7);
    expect(offences.areTooMany("203.0.113.9")).toBe(false);
    commit(offences, "203.0.113.9", 1);

    expect(offences.areTooMany("203.0.113.9")).toBe(true);
    expect(offences.areTooMany("203.0.113.8")).toBe(false);
    await clock.advance(10 * 60_000);
    expect(offences.areTooMany("203.0.113.9")).toBe(false);
  });

  it("do not include regular disconnects, nor nodes on this machine", () => {
    const offences = new Offences(new FakeClock(0));

    commit(offences, "127.0.0.1", 20);
    for (let n = 0; n < 20; n++) {
      offences.ended("203.0.113.9", { reason: "breach-of-protocol", byPeer: true });
      offences.ended("203.0.113.9", { reason: "too-many-peers", byPeer: false });
    }

    expect(["127.0.0.1", "203.0.113.9"].map((each) => offences.areTooMany(each))).toEqual([
      false,
      false,
    ]);
  });
});
